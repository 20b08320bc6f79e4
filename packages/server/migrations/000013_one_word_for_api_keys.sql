-- One term: a caller with an API key is an `api_key` everywhere, also in earlier entries. No fact of an entry changes.
-- Since entries identify their objects, they contain the names of clusters (decision 13).

alter table audit_entry disable trigger audit_entry_append_only;
alter table audit_entry drop constraint audit_entry_actor_kind_check;
update audit_entry set actor_kind = 'api_key' where actor_kind = 'key';
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('person', 'api_key', 'agent', 'system', 'anonymous'));
alter table audit_entry enable trigger audit_entry_append_only;

update recommendation_history set actor_kind = 'api_key' where actor_kind = 'key';
