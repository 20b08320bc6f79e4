-- Writing the whole checkpoint of a large cluster every minute costs more than folding the minute. So it is written less
-- often, and batches that were folded since are folded again by whoever starts from the checkpoint: they are its log.

-- folded, and not part of the checkpoint yet
alter table ingest_batch add column unsaved boolean not null default false;
create index ingest_batch_unsaved on ingest_batch (cluster_id) where unsaved;

-- When the last fold ended, whether or not it wrote the state. Before the first state is written there is none.
alter table fold_checkpoint alter column state drop not null;

-- names objects that are not known, because a batch before it is missing: it is folded again when that one comes
alter table ingest_batch add column unresolved boolean not null default false;
