-- What remains of a deleted cluster. Its ID, so that a lost purge is found and queued again even if the cluster had no token.
-- Its tokens with the MAC of their secret, so that a token ID alone does not reveal that the cluster was deleted. Tokens of
-- clusters that were deleted before this migration have no MAC and are unknown from now on.

create table deleted_agent_token (
  token_id text primary key,
  cluster_id text not null,
  secret_mac bytea not null
);
comment on table deleted_agent_token is 'local: tokens of deleted clusters; their agents get 410';

alter table cluster_tombstone rename to old_tombstone;
alter index cluster_tombstone_pkey rename to old_tombstone_pkey;

create table cluster_tombstone (
  cluster_id text primary key,
  deleted_at timestamptz not null,
  -- null until no distributed table contains a row of the cluster
  purged_at timestamptz
);
create index cluster_tombstone_unpurged on cluster_tombstone (deleted_at) where purged_at is null;
comment on table cluster_tombstone is 'local: deleted clusters by id, without names, and whether their data is purged';

insert into cluster_tombstone (cluster_id, deleted_at)
select cluster_id, max(deleted_at) from old_tombstone group by cluster_id;
drop table old_tombstone;

-- Failed sign-ins are recorded, and their user is unknown.
alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('person', 'key', 'agent', 'system', 'anonymous'));

-- A request that ran while its key was revoked could add such a row.
delete from last_use u
where u.subject_id like 'key\_%' and not exists (select from api_key k where k.key_id = u.subject_id)
   or u.subject_id like 'agt\_%' and not exists (select from agent_token a where a.token_id = u.subject_id);
