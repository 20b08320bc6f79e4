-- Any replica could fold any cluster of the queue, and loaded the checkpoint again after another replica had folded the
-- cluster. Now a cluster stays with the replica that has its state in memory, while the lease of that replica is valid.
create table fold_lease (
  holder text primary key,
  until timestamptz not null
);
comment on table fold_lease is 'local: replicas that fold, each until its lease ends';

-- The replica that folded the cluster last; null when unknown.
alter table fold_checkpoint add column holder text;
