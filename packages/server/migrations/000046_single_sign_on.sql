-- A person of an identity provider is the pair of issuer and subject, never the e-mail address.
create table sso_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);
comment on table sso_identity is 'reference: the accounts of users at identity providers';

-- The teams that the groups of the user give, at the last sign-in with the identity provider. Null: not limited.
alter table app_user add column teams text[];

-- Roles come from the identity provider at each sign-in, so its sessions are not renewed.
alter table session add column is_sso boolean not null default false;

create table sign_in_rules (
  rules_id text primary key,
  roles jsonb not null,
  teams jsonb not null,
  revision integer not null,
  updated_at timestamptz not null
);
comment on table sign_in_rules is 'reference: the roles and teams of the groups of an identity provider';
