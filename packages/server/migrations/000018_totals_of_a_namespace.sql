-- Totals say what leaves the bill as well: that figure stands in the index that those of one namespace are read from.
drop index recommendation_by_namespace;
create index recommendation_by_namespace on recommendation (cluster_id, namespace, status)
  include (estimated_savings, bankable_savings, snoozed_until);

-- When an analysis has last said the same was never asked.
alter table node_verdict drop column analysed_at;
alter table workload_shape drop column seen_at;
