-- Sums over all recommendations of a cluster are read far more often than the recommendations change. Each transaction that
-- changes recommendations increases the revision. Cached sums are valid while the revision stays the same and no snooze starts or
-- ends.
create table advice_revision (
  cluster_id text primary key,
  revision bigint not null
);
comment on table advice_revision is 'distributed: how often recommendations of a cluster have changed';
create index recommendation_asleep on recommendation (cluster_id, snoozed_until) where snoozed_until is not null;
