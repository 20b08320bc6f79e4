-- What a deleted cluster leaves, in two parts: the cluster itself, so that a purge that got lost is found and queued again
-- even when the cluster had no token, and its tokens with the MAC of their secret, so that nobody learns from a token's id
-- alone that its cluster was deleted. Tokens of clusters deleted before this have no MAC and are unknown from here on.

create table deleted_agent_token (
  token_id text primary key,
  cluster_id text not null,
  secret_mac bytea not null
);
comment on table deleted_agent_token is 'local: tokens of deleted clusters; their agents are answered 410';

alter table cluster_tombstone rename to old_tombstone;
alter index cluster_tombstone_pkey rename to old_tombstone_pkey;

create table cluster_tombstone (
  cluster_id text primary key,
  deleted_at timestamptz not null,
  -- null until nothing of it is left in any distributed table
  purged_at timestamptz
);
create index cluster_tombstone_unpurged on cluster_tombstone (deleted_at) where purged_at is null;
comment on table cluster_tombstone is 'local: deleted clusters by id, without names, and whether their data is gone yet';

insert into cluster_tombstone (cluster_id, deleted_at)
select cluster_id, max(deleted_at) from old_tombstone group by cluster_id;
drop table old_tombstone;

-- Failed log-ins are recorded, and nobody knows who tried.
alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('person', 'key', 'agent', 'system', 'anonymous'));

-- A request that was on its way while its key was revoked could leave such a row behind.
delete from last_use u
where u.subject_id like 'key\_%' and not exists (select from api_key k where k.key_id = u.subject_id)
   or u.subject_id like 'agt\_%' and not exists (select from agent_token a where a.token_id = u.subject_id);
