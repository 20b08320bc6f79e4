-- Advice about pods that are stuck says so itself now: which pods those are is looked up whenever it is counted. What is open
-- already is told the same, so that nothing about it seems to have changed.
update recommendation set content = content || '{"removesPods": "stuck"}'
where rule_id = 'failed_pods_holding' and status in ('pending', 'approved') and not content ? 'removesPods';
