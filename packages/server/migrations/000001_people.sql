-- Who may call: roles, users and their API keys. Every request reads these tables and few requests write them, so they are
-- reference tables, which a Citus cluster copies to each node.

create table role (
  name text collate "C" primary key,
  built_in boolean not null,
  permissions text[] not null,
  -- null: all clusters; an empty list: none. The difference matters when the last cluster of a limited role is deleted.
  clusters text[],
  namespaces text[],
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table role is 'reference: named lists of permissions';

create table app_user (
  user_id uuid primary key,
  email text collate "C" not null unique check (email = lower(email)),
  -- null until an invited user has set a password
  password_hash text,
  role text collate "C" not null references role (name),
  disabled boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index app_user_role on app_user (role);
comment on table app_user is 'reference: people who can sign in';

create table api_key (
  key_id text primary key,
  user_id uuid not null references app_user (user_id) on delete cascade,
  name text not null,
  secret_mac bytea not null,
  scopes text[],
  expires_at timestamptz,
  created_at timestamptz not null
);
create index api_key_user on api_key (user_id);
comment on table api_key is 'reference: credentials of programs, each acting for its user';
