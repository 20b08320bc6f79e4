-- A transaction may commit after a later one, so the largest ID of an event does not tell which events were read. The ID of the
-- transaction does: all transactions below the horizon of a snapshot have ended. Events from before this migration have none.
alter table event add column xid xid8;
alter table event alter column xid set default pg_current_xact_id();
create index event_xid on event (xid);

alter table budget_state drop column counted_event;
-- Events of finalised and repriced hours below this transaction are in the sums. Null: none yet.
alter table budget_state add column counted_xid xid8;

alter table alert_delivery drop column evaluated_event;
-- Events below this transaction were there at the last evaluation. Null: no evaluation yet.
alter table alert_delivery add column evaluated_xid xid8;

-- Deleting a user must remove the e-mail address everywhere. These users were deleted before user IDs were stored.
update budget_change set made_by = 'deleted' where made_by like '%@%';

-- Silences of an earlier version had messages without an alert. The alert of today has another key, so the end of the old messages is
-- sent here: a receiver such as PagerDuty would keep the old incident open.
insert into delivery (delivery_id, channel_id, dedup_key, transition, message, state, tries_max, due_at, queued_at)
select distinct on (d.dedup_key, d.channel_id) 'msg_' || substr(md5(d.delivery_id), 1, 26), d.channel_id, d.dedup_key, 'resolved',
  d.message || jsonb_build_object('endedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  'waiting', 10, now(), now()
from delivery d
where d.dedup_key like 'cluster\_silent:%:%' and d.state <> 'cancelled' and not exists (
  select from delivery e where e.dedup_key = d.dedup_key and e.channel_id = d.channel_id and e.message ->> 'endedAt' is not null)
order by d.dedup_key, d.channel_id, d.position desc
on conflict do nothing;
