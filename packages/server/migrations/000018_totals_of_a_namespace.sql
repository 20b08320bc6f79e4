-- Totals also contain bankable savings, so the index for the totals of one namespace includes them.
drop index recommendation_by_namespace;
create index recommendation_by_namespace on recommendation (cluster_id, namespace, status)
  include (estimated_savings, bankable_savings, snoozed_until);

-- No query reads the time of the last analysis with the same result.
alter table node_verdict drop column analysed_at;
alter table workload_shape drop column seen_at;
