-- The few numbers of the evidence that fit into a table. Unpacking hundreds of large documents for them took longer than all the
-- rest of an answer with manifests. Null: an older version wrote it, until the next day's.
alter table recommendation_evidence add column digest jsonb;

update recommendation_evidence set digest = jsonb_build_object(
  'hours', evidence #> '{window,hours}',
  'coverage', evidence -> 'coverage',
  'cpu_p95', evidence #> '{usage,cpu_millicores,p95}',
  'memory_max', evidence #> '{usage,memory_bytes,max}',
  'proposed', jsonb_path_query_first(evidence, '$.backtest.results[*] ? (@.who == "proposed")'),
  'current', jsonb_path_query_first(evidence, '$.backtest.results[*] ? (@.who == "current")')
);
