-- Data of requests: sessions, one-time links, server secrets, counters, last uses, idempotent answers.

create table session (
  session_id text primary key,
  user_id uuid not null references app_user (user_id) on delete cascade,
  created_at timestamptz not null,
  -- when the newest of its tokens expires
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index session_by_user on session (user_id);
create index session_by_expiry on session (expires_at);
comment on table session is 'local: a sign-in and all tokens that were refreshed from it';

create table one_time_link (
  link_id text primary key,
  -- null: the set-up link that creates the first admin
  user_id uuid references app_user (user_id) on delete cascade,
  secret_mac bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index one_time_link_user on one_time_link (user_id);
comment on table one_time_link is 'local: set-up, invitation and password links; a used one is deleted';

create table server_secret (
  secret_id text primary key,
  purpose text not null check (purpose in ('jwt', 'mac')),
  -- plain, or encrypted with PLIMSOLL_SECRET_KEY if that is set
  material bytea not null,
  sealed boolean not null,
  created_at timestamptz not null,
  retires_at timestamptz
);
-- One secret for message authentication codes: two replicas that start at the same time must use the same secret.
create unique index server_secret_mac on server_secret (purpose) where purpose = 'mac';
comment on table server_secret is 'local: signing keys of tokens and the secret behind every stored MAC';

-- Unlogged: a crash may lose the counters, and they need no WAL.
create unlogged table rate_limit (
  bucket text primary key,
  hits integer not null,
  resets_at timestamptz not null
) with (fillfactor = 50);
comment on table rate_limit is 'local: one row per caller with an open window';

create table last_use (
  subject_id text primary key,
  at timestamptz not null
);
comment on table last_use is 'local: when a key, a token or a user was last seen, to the minute';

create table idempotent_answer (
  caller text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body jsonb not null,
  -- the object that the request created: the answer is deleted with the object
  resource_id text,
  created_at timestamptz not null,
  primary key (caller, idempotency_key)
);
create index idempotent_answer_created on idempotent_answer (created_at);
create index idempotent_answer_resource on idempotent_answer (resource_id);
comment on table idempotent_answer is 'local: answers of the last 24 hours, repeated for the same Idempotency-Key';
