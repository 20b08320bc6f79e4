-- Sums over all recommendations of a cluster are asked for far more often than any of these changes. The revision grows in each
-- transaction that changes some: sums that were computed with it hold for as long as it is the same, and nobody falls asleep or
-- wakes up meanwhile.
create table advice_revision (
  cluster_id text primary key,
  revision bigint not null
);
comment on table advice_revision is 'distributed: how often recommendations of a cluster have changed';
create index recommendation_asleep on recommendation (cluster_id, snoozed_until) where snoozed_until is not null;
