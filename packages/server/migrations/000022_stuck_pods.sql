-- A recommendation about stuck pods now names them by this field, and the pods are looked up when they are counted. Open
-- recommendations get the same field, so that the next analysis finds no difference.
update recommendation set content = content || '{"removesPods": "stuck"}'
where rule_id = 'failed_pods_holding' and status in ('pending', 'approved') and not content ? 'removesPods';
