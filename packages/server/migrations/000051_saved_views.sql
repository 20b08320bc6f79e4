-- A saved view is the name of a dashboard address. It belongs to a user and disappears with the user.
create table saved_view (
  view_id text primary key,
  user_id uuid not null references app_user on delete cascade,
  name text not null,
  path text not null,
  is_shared boolean not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table saved_view is 'reference: the saved views of users';
create index on saved_view (user_id);
create index on saved_view (name) where is_shared;
