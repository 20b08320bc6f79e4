-- The settings page and each evaluation count messages that were given up. Without these indexes they read 90 days of messages.
create index delivery_dead on delivery (channel_id, ended_at) where state = 'dead';
create index delivery_delivered on delivery (channel_id, ended_at) where state = 'delivered';

-- The deletion of a channel deletes its notices.
create index alert_notice_channel on alert_notice (channel_id);
create index alert_fired on alert (fired_at) where fired_at is not null;
create index incident_ended on incident (ended_at);
