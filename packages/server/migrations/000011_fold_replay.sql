-- Writing the checkpoint of a large cluster every minute costs more than folding the minute. It is therefore written less
-- often. A replica that starts from the checkpoint folds the later batches again: they are the log of the checkpoint.

-- folded, and not part of the checkpoint yet
alter table ingest_batch add column unsaved boolean not null default false;
create index ingest_batch_unsaved on ingest_batch (cluster_id) where unsaved;

-- When the last fold ended, whether or not it wrote the state. Null state: not written yet.
alter table fold_checkpoint alter column state drop not null;

-- refers to unknown objects, because an earlier batch is missing: it is folded again when that batch arrives
alter table ingest_batch add column unresolved boolean not null default false;
