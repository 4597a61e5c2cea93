// Written from the migrations by generate-schema.ts; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The values of a JSON column. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** A JSON column: parsed when read, written as text (JSON.stringify), because pg takes an array for PostgreSQL's own. */
export type JsonColumn = ColumnType<JsonValue, string, string>
export type NullableJsonColumn = ColumnType<JsonValue | null, string | null | undefined, string | null>
export type JsonColumnWithDefault = ColumnType<JsonValue, string | undefined, string>

export interface AgentConfigChangesTable {
  id: GeneratedAlways<number>
  machine_id: number
  change_id: string
  revision: number
  restored_from: number | null
  user_id: number | null
  at: Date
  connections: number
  tags: number
  result: string | null
  reason: Generated<string>
}

export interface AlarmContactAsksTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  email_hash: Buffer
  at: Date
  is_report: Generated<boolean>
}

export interface AlarmContactMachinesTable {
  contact_id: number
  machine_id: number
}

export interface AlarmContactsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  name: string
  email: string
  lang: string
  token_hash: Buffer | null
  confirmed_at: Date | null
  asked_at: Date | null
  left_at: Date | null
  may_confirm: Generated<boolean>
  created_at: Date
  account_id: number | null
}

export interface AlarmEscalationRunsTable {
  alarm_id: number
  machine_id: number
  fact_id: number
  step: number
  due_at: Date
  ended_at: Date | null
  end_reason: string | null
}

export interface AlarmEscalationsTable {
  machine_id: number | null
  enterprise_id: number | null
  steps: JsonColumn
}

export interface AlarmEventsTable {
  id: GeneratedAlways<number>
  alarm_id: number | null
  machine_id: number
  shelve_id: number | null
  kind: string
  at: Date
  received_at: Date
  user_id: number | null
  contact_id: number | null
  note: Generated<string>
  level: string | null
  raisings: Generated<number>
  count: number | null
  value: NullableJsonColumn
}

export interface AlarmLinksTable {
  id: GeneratedAlways<number>
  alarm_id: number
  user_id: number | null
  contact_id: number | null
  token_hash: Buffer
  expires_at: Date
  confirmed_at: Date | null
}

export interface AlarmMessagesTable {
  user_id: number
  alarm_id: number
  message_id: number
}

export interface AlarmRulePositionsTable {
  node_id: string
  received_at: Date
  written_at: Date
}

export interface AlarmRuleStatesTable {
  rule_id: number
  version: number
  state: JsonColumn
  is_active: boolean
  raised_at: Date | null
  updated_at: Date
}

export interface AlarmRuleTemplatesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  machine_type: string
  name: string
  rules: JsonColumn
  updated_at: Date
}

export interface AlarmRulesTable {
  id: GeneratedAlways<number>
  machine_id: number
  level: string
  condition: JsonColumn
  on_delay: number
  off_delay: number
  text: JsonColumn
  instruction: string | null
  active_hours: NullableJsonColumn
  version: Generated<number>
  created_at: Date
  updated_at: Date
  node_id: string | null
}

export interface AlarmSettingsEnterpriseTable {
  enterprise_id: number
  sms: Generated<boolean>
  email: Generated<boolean>
  sms_daily: Generated<number>
  machine_sms_daily: Generated<number>
  quiet_from: string | null
  quiet_to: string | null
}

export interface AlarmSettingsMachineTable {
  machine_id: number
  sms: Generated<boolean>
  email: Generated<boolean>
  link_in_sms: Generated<boolean>
}

export interface AlarmSettingsUserTable {
  user_id: number
  sms: Generated<boolean>
  email: Generated<boolean>
  sms_daily: Generated<number>
  machine_sms_daily: Generated<number>
  quiet_from: string | null
  quiet_to: string | null
  voice: Generated<boolean>
  browser: Generated<boolean>
}

export interface AlarmShelvesTable {
  id: GeneratedAlways<number>
  machine_id: number
  kind: string
  scope: string
  key: string | null
  rule_id: number | null
  tag_id: number | null
  until: Date | null
  reason: string
  by_user_id: number | null
  created_at: Date
  ended_at: Date | null
  ended_by: number | null
  end_reason: string | null
}

export interface AlarmVisitorsTable {
  machine_id: number
  user_id: number
}

export interface AlarmsTable {
  id: GeneratedAlways<number>
  machine_id: number
  key: string
  level: string
  text: JsonColumn
  raised_at: Date
  received_at: Date
  cleared_at: Date | null
  confirmed_at: Date | null
  confirmed_by: number | null
  count: Generated<number>
  rule_id: number | null
  tag_id: number | null
  value: NullableJsonColumn
  limit_value: NullableJsonColumn
  instruction: NullableJsonColumn
  note: Generated<string>
  confirmed_contact_id: number | null
  raised_told_at: Date | null
  cleared_told_at: Date | null
}

export interface AnnotationMachinesTable {
  machine_id: number
  annotation_id: number
}

export interface AnnotationVersionsTable {
  id: GeneratedAlways<number>
  annotation_id: number
  text: string
  replaced_at: Date
}

export interface AnnotationsTable {
  id: GeneratedAlways<number>
  from_at: Date
  to_at: Date
  text: string
  user_id: number | null
  created_at: Date
  versions_bytes: Generated<number>
}

export interface ApplicationStepsTable {
  id: GeneratedAlways<number>
  application_id: number
  step: string
  key: string | null
  user_id: number | null
  state: number
  is_blacklisted: Generated<boolean>
  read_only: boolean | null
  alarms: boolean | null
  at: Date
}

export interface ApplicationsTable {
  id: GeneratedAlways<number>
  kind: string
  machine_id: number
  user_id: number
  proposed_by: number | null
  message: Generated<string>
  remarks: Generated<string>
  terminal_name: Generated<string>
  wish: Generated<string>
  state: Generated<number>
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

export interface AuditBatchesTable {
  id: number
  entries: number
  key_id: string
  mac: Buffer
  sealed_at: Date
}

export interface AuditEntriesTable {
  id: GeneratedAlways<number>
  at: Date
  actor_user_id: number | null
  action: string
  target: string
  address: string
  terminal: Generated<string>
  result: string
  detail: JsonColumnWithDefault
  batch_id: number | null
}

export interface BoardSharesTable {
  id: GeneratedAlways<number>
  board_id: number
  user_id: number | null
  enterprise_id: number | null
  access: string
  at: Date
  by_user_id: number | null
}

export interface BoardTemplatesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  machine_type: string
  name: string
  layout: JsonColumn
  tiles: number
  updated_at: Date
}

export interface BoardVersionsTable {
  board_id: number
  version: number
  name: string
  layout: JsonColumn
  tiles: number
  machine_type: string | null
  at: Date
  by_user_id: number | null
}

export interface BoardViewersTable {
  board_id: number
  user_id: number
  seen_at: Date
}

export interface BoardsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  name: string
  layout: JsonColumn
  tiles: number
  machine_type: string | null
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: number | null
  deleted_at: Date | null
  versions_bytes: Generated<number>
}

export interface BrandHostsTable {
  host: string
  brand_id: number
}

export interface BrandsTable {
  id: GeneratedAlways<number>
  is_default: Generated<boolean>
  name_cn: string
  name_en: string
  logo_url: Generated<string>
  logo_dark_url: Generated<string>
  login_image_url: Generated<string>
  favicon_url: Generated<string>
  accent: Generated<string>
  email_sender: Generated<string>
  sms_signature: Generated<string>
  versions: JsonColumn
  downloads: JsonColumnWithDefault
  icp: Generated<string>
  visit_domain: Generated<string>
  created_at: Generated<Date>
  archived_at: Date | null
}

export interface CodeFailuresTable {
  id: GeneratedAlways<number>
  account_hash: Buffer
  at: Date
}

export interface CodeTicketsTable {
  ticket_hash: Buffer
  account_hash: Buffer
  purpose: string
  expires_at: Date
}

export interface CodesTable {
  id: GeneratedAlways<number>
  account_hash: Buffer
  address: string
  purpose: string
  code_hash: Buffer
  browser_hash: Buffer | null
  registration_id: number | null
  wrong_tries: Generated<number>
  sent_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface ControlRequestsTable {
  visit_id: number
  machine_id: number
  at: Date
}

export interface ControllersTable {
  machine_id: number
  user_id: number
  visit_id: number | null
  since: Date
  until: Date | null
  release_at: Date | null
}

export interface DataRetentionTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  raw_days: number
  minute_days: number
  hour_days: number
  effective_at: Date
  created_at: Date
}

export interface DatabaseRoleTable {
  is_only: Generated<boolean>
  installation: Generated<string>
  role: Generated<string>
}

export interface DeadLettersTable {
  delivery_id: number
  webhook_id: string
  request: string
  rows: Buffer
  sending_until: Date | null
}

export interface DeliveriesTable {
  id: GeneratedAlways<number>
  destination_id: number
  at: Date
  state: string
  requests: Generated<number>
  rows: number
  bytes: number
  http_status: number | null
  attempts: number
  ms: number | null
  fault: string | null
  answer: Generated<string>
}

export interface DestinationLanesTable {
  destination_id: number
  lane: number
  acked_no: number
  acked_time: Date | null
  epoch: string | null
  batch_to_no: number | null
  tries: Generated<number>
  refusals: Generated<number>
  next_try_at: Date | null
  failing_since: Date | null
  fault: string | null
  status: number | null
  last_ok_at: Date | null
  holder: string | null
  leased_until: Generated<Date>
  turn: Generated<number>
}

export interface DestinationReplaysTable {
  destination_id: number
  from_at: Date
  to_at: Date
  link_id: Generated<number>
  sent_to: Date
}

export interface DestinationSecretsTable {
  id: GeneratedAlways<number>
  destination_id: number
  sealed: Buffer
  created_at: Date
  ends_at: Date | null
}

export interface DestinationsTable {
  id: GeneratedAlways<number>
  project_id: number
  name: string
  type: string
  url: string
  format: string
  is_ndjson: boolean
  is_gzip: boolean
  rows_max: number
  has_rows: boolean
  events: string[]
  mqtt: NullableJsonColumn
  mqtt_secrets: Buffer | null
  state: Generated<string>
  switched_off: string | null
  is_failure_told: Generated<boolean>
  gaps: Generated<number>
  gap_from: Date | null
  gap_to: Date | null
  former_lanes: JsonColumnWithDefault
  created_at: Date
  bd_seq: Generated<number>
}

export interface DeviceCodesTable {
  device_hash: Buffer
  user_code: string
  terminal_uuid: string
  terminal_name: string
  address: string
  brand_id: number
  state: Generated<string>
  session_id: number | null
  asked_at: Date | null
  created_at: Date
  expires_at: Date
  program: string | null
}

export interface EmbeddingCodesTable {
  code_hash: Buffer
  project_id: number
  link_id: number
  project_key_id: number
  user_id: number
  machine_id: number
  host: string
  visit_id: number | null
  expires_at: Date
}

export interface EnterpriseGroupsTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  name: string
}

export interface EnterpriseHandoversTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  to_user_id: number | null
  to_enterprise_id: number | null
  asked_by: number | null
  state: Generated<string>
  is_chosen: Generated<boolean>
  handed: Generated<number>
  asked_at: Date
  expires_at: Date
}

export interface EnterpriseInvitationsTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  user_id: number
  invited_by: number
  role: string
  rights: Generated<string[]>
  state: Generated<string>
  created_at: Date
  answered_at: Date | null
}

export interface EnterpriseMachinesTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  machine_id: number
  kind: string
  name: string
  remark: Generated<string>
  group_id: number | null
  added_at: Date
}

export interface EnterpriseMembersTable {
  enterprise_id: number
  user_id: number
  role: string
  rights: Generated<string[]>
  joined_at: Generated<Date>
}

export interface EnterpriseTeamMachinesTable {
  team_id: number
  enterprise_id: number
  machine_id: number
}

export interface EnterpriseTeamMembersTable {
  team_id: number
  enterprise_id: number
  user_id: number
}

export interface EnterpriseTeamsTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  name: string
  kind: string
}

export interface EnterprisesTable {
  id: GeneratedAlways<number>
  name: string
  enable_project: Generated<boolean>
  created_at: Generated<Date>
  platform_name: Generated<string>
  logo_url: Generated<string>
  state: Generated<string>
  time_zone: Generated<string>
  leaves_at: Date | null
  has_away_rules: Generated<boolean>
}

export interface ExportsTable {
  id: string
  user_id: number
  name: string
  wish: JsonColumn
  state: string
  progress: Generated<number>
  rows: number | null
  damaged: Generated<number>
  file_id: number | null
  reason: Generated<string>
  created_at: Date
  ended_at: Date | null
}

export interface FactEpochTable {
  is_only: Generated<boolean>
  epoch: number
  system_identifier: string
}

export interface FactFollowersTable {
  name: string
  epoch: number
  xid: string
  id: number
  read_from: Date
  failing_id: number | null
  failures: Generated<number>
  retry_at: Date | null
}

export interface FactsTable {
  id: Generated<number>
  epoch: number
  xid: Generated<string>
  kind: string
  machine_id: number | null
  user_id: number | null
  enterprise_id: number | null
  payload: JsonColumnWithDefault
  at: Date
  recorded_at: Generated<Date>
}

export interface FactsSetAsideTable {
  follower: string
  fact_id: number
  fact: JsonColumn
  error: string
  failures: number
  set_aside_at: Generated<Date>
}

export interface FilesTable {
  id: GeneratedAlways<number>
  key: string
  user_id: number
  enterprise_id: number | null
  purpose: string
  name: string
  media_type: string
  bytes: Generated<number>
  state: string
  made_at: Date
  written_at: Date
  expires_at: Date
}

export interface FirstConnectionsTable {
  machine_id: number
  at: Date
}

export interface FormerContactsTable {
  contact_id: number
  user_id: number | null
  enterprise_id: number | null
  address_hash: Buffer
  left_at: Date | null
  removed_at: Date
}

export interface FriendsTable {
  user_id: number
  friend_id: number
  remark: Generated<string>
  created_at: Date
}

export interface IngestBatchesTable {
  id: string
  committed_at: Generated<Date>
  is_closed: Generated<boolean>
}

export interface KnownTerminalsTable {
  user_id: number
  terminal_uuid: string
  seen_at: Date
}

export interface LineNotesTable {
  machine_id: number
  refused_at: Date | null
  refused_from: string | null
  ended_at: Date | null
  end_reason: string | null
  tunnel_at: Date | null
}

export interface LoginChallengesTable {
  challenge_hash: Buffer
  account_hash: Buffer
  kind: string
  code_given: Generated<boolean>
  tries: Generated<number>
  expires_at: Date
}

export interface LoginFailuresTable {
  id: GeneratedAlways<number>
  account_hash: Buffer
  address: string
  at: Generated<Date>
}

export interface LostSpansTable {
  machine_id: number
  from_at: Date
  to_at: Date
  samples: number
  received_at: Generated<Date>
}

export interface MachineBlacklistTable {
  machine_id: number
  user_id: number
  created_by: number | null
  created_at: Generated<Date>
}

export interface MachineChecksTable {
  id: string
  machine_id: number
  user_id: number
  started_at: Date
  ended_at: Date | null
  parts: JsonColumnWithDefault
}

export interface MachineConnectionsTable {
  id: GeneratedAlways<number>
  machine_id: number
  protocol: string
  address: string
  started_at: Date
  last_seen_at: Date
  ended_at: Date | null
  node_id: string | null
  expected_until: Date | null
}

export interface MachineGrantsTable {
  machine_id: number
  user_id: number
  role: string
  until: Date | null
  read_only: Generated<boolean>
  alarms: Generated<boolean>
  created_at: Generated<Date>
  id: GeneratedAlways<number>
}

export interface MachineGroupsTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
}

export interface MachineImportPartsTable {
  import_id: string
  part: number
  is_done: Generated<boolean>
  sealed: Buffer | null
  refused: JsonColumnWithDefault
}

export interface MachineImportsTable {
  id: string
  user_id: number
  address: string
  state: string
  lines: number
  done: number
  created: Generated<number>
  secrets: Generated<number>
  refused: JsonColumn
  reason: Generated<string>
  created_at: Date
  ended_at: Date | null
}

export interface MachineListChangesTable {
  xid: Generated<string>
  machine_id: number | null
  user_id: number | null
  enterprise_id: number | null
  attributes_only: Generated<boolean>
}

export interface MachineListEntriesTable {
  user_id: number
  machine_id: number
  name: string
  remark: Generated<string>
  key_tag_id: number | null
  created_at: Generated<Date>
  name_key: string | null
  is_named: Generated<boolean>
}

export interface MachineListEntryGroupsTable {
  user_id: number
  machine_id: number
  group_id: number
}

export interface MachineListTrimsTable {
  is_only: Generated<boolean>
  xid: string
  next_xid: string
}

export interface MachinePasswordFailuresTable {
  id: GeneratedAlways<number>
  machine_id: number
  user_id: number
  at: Generated<Date>
}

export interface MachinePasswordTicketsTable {
  ticket_hash: Buffer
  user_id: number
  machine_id: number
  password_hash: string
  expires_at: Date
  session_id: number
}

export interface MachinePlaceHistoryTable {
  id: GeneratedAlways<number>
  machine_id: number
  at: Date
  lat: number
  lng: number
  accuracy_m: number | null
  source: string
  implausible: string | null
}

export interface MachinePlacesTable {
  machine_id: number
  lat: number | null
  lng: number | null
  accuracy_m: number | null
  source: string | null
  fixed_at: Date | null
  address_cn: string | null
  address_en: string | null
  as_typed: string | null
  type: Generated<number>
  way: number | null
  fix_lat: number | null
  fix_lng: number | null
  fix_accuracy_m: number | null
  fix_source: string | null
  fix_at: Date | null
  anchor_lat: number | null
  anchor_lng: number | null
  anchor_accuracy_m: number | null
  moved_after_m: Generated<number | null>
  away_since: Date | null
  is_moved: Generated<boolean>
}

export interface MachineStatesToldTable {
  machine_id: number
  epoch: number | null
  seen: string | null
}

export interface MachineTransfersTable {
  id: GeneratedAlways<number>
  machine_id: number
  from_user_id: number
  to_user_id: number | null
  state: Generated<string>
  created_at: Date
  expires_at: Date
  answered_at: Date | null
  from_enterprise_id: number | null
  to_enterprise_id: number | null
}

export interface MachineTypesTable {
  id: GeneratedAlways<number>
  type: string
  name_cn: string
  name_en: string
  pattern: Generated<string>
  picture: string
  place: number
}

export interface MachinesTable {
  id: GeneratedAlways<number>
  code: string
  type: string
  model: Generated<string>
  name: string
  secret_hash: Buffer
  password_hash: string | null
  owner_user_id: number | null
  owner_enterprise_id: number | null
  cloud_service: Generated<boolean>
  check_type: Generated<number>
  adapter: string | null
  attributes: JsonColumnWithDefault
  project_image: string | null
  last_seen_at: Date | null
  created_at: Generated<Date>
  time_zone: Generated<string>
  clock_offset_ms: number | null
  clock_seen_at: Date | null
  owned_since: Date | null
  text_encoding: Generated<string>
  other_topics: Generated<boolean>
}

export interface MaintenanceWindowsTable {
  id: GeneratedAlways<number>
  enterprise_id: number
  machine_id: number
  requested_by: number | null
  start_at: Date
  stop_at: Date | null
  scopes: string[]
  reason: string
  state: Generated<string>
  created_at: Date
  answered_by: number | null
  answered_at: Date | null
}

export interface MessagesTable {
  id: GeneratedAlways<number>
  user_id: number
  tab: string
  type: string
  machine_id: number | null
  params: JsonColumnWithDefault
  created_at: Generated<Date>
  read_at: Date | null
  application_id: number | null
  transfer_id: number | null
  invitation_id: number | null
  handover_id: number | null
}

export interface MigrationsTable {
  number: number
  name: string
  checksum: string
  applied_at: Generated<Date>
}

export interface NodesTable {
  id: string
  heartbeat_at: Generated<Date>
  incarnation: Generated<string>
  steady_since: Generated<Date>
  declared_dead_at: Date | null
  roles: string[] | null
  version: string | null
  wire_version: number | null
  leaving_at: Date | null
  is_starting: Generated<boolean>
  public_key: string | null
  started_at: Date | null
}

export interface NotificationWindowsTable {
  user_id: number | null
  contact_id: number | null
  machine_id: number
  channel: string
  opened_at: Date
  digest_due_at: Date | null
  waiting_since: Date | null
  waiting: Generated<number>
  critical: Generated<number>
  critical_since: Date | null
}

export interface NotificationsTable {
  id: GeneratedAlways<number>
  fact_id: number
  alarm_id: number
  machine_id: number
  user_id: number | null
  contact_id: number | null
  channel: string
  step: Generated<number>
  level: string
  state: string
  reason: Generated<string>
  segments: Generated<number>
  is_first: Generated<boolean>
  digest_id: number | null
  created_at: Date
  settled_at: Date | null
}

export interface OutgoingTable {
  id: GeneratedAlways<number>
  brand_id: Generated<number>
  kind: string
  country_code: string | null
  recipient: string
  lang: string | null
  subject: Generated<string>
  text: string
  html: Generated<string>
  params: JsonColumnWithDefault
  state: string
  tries: Generated<number>
  error: Generated<string>
  created_at: Date
  sent_at: Date | null
  notification_id: number | null
  purpose: Generated<string>
  unsubscribe_url: Generated<string>
  mail_token: Generated<string>
  delivery: string | null
  attachments: JsonColumnWithDefault
}

export interface OutgoingAttemptsTable {
  outgoing_id: number
  attempt: number
  began_at: Date
  ended_at: Date | null
  outcome: string | null
  error: Generated<string>
}

export interface OutgoingPartsTable {
  provider: string
  provider_id: string
  outgoing_id: number | null
  state: string | null
  error: Generated<string>
  at: Date
}

export interface PlaceAsksTable {
  machine_id: number
  asked_at: Date
  heard: string | null
  heard_at: Date | null
}

export interface PlaceRefreshesTable {
  machine_id: number
  day: string
  used: number
}

export interface PortWritesTable {
  visit_id: number
  port: string
  unit: number | null
  place: string
  from_value: string | null
  to_value: string
  first_at: Date
  last_at: Date
  tag_id: number | null
}

export interface ProjectConsentsTable {
  link_id: number
  may_write: boolean
  may_visit: boolean
  by_user_id: number | null
  at: Date
}

export interface ProjectKeysTable {
  id: GeneratedAlways<number>
  project_id: number
  hash: Buffer
  sealed: Buffer
  created_at: Date
  ends_at: Date | null
  last_used_at: Date | null
  last_used_from: Generated<string>
  last_fetched_at: Date | null
}

export interface ProjectMachinesTable {
  id: GeneratedAlways<number>
  project_id: number
  machine_id: number
  linked_by: number | null
  linked_at: Date
  stop: string | null
  ended_at: Date | null
}

export interface ProjectMembersTable {
  id: GeneratedAlways<number>
  project_id: number
  user_id: number
  level: number
  invited_by: number | null
  invited_at: Date
  accepted_at: Date | null
}

export interface ProjectMinutesTable {
  project_id: number
  minute: Date
  rows: number
}

export interface ProjectPullsTable {
  project_id: number
  machine_code: string
  epoch: string
  counted_no: number
  given_no: Generated<number>
  given_rows: Generated<number>
}

export interface ProjectSessionsTable {
  project_id: number
  client_id: string
  holder: string
  filters: JsonColumnWithDefault
  epoch: string | null
  no: number
  moved_at: Date
  kept_s: number
  expires_at: Date
}

export interface ProjectStreamTable {
  project_id: number
  from_no: number
  to_no: number
  at: Date
  bytes: Buffer
}

export interface ProjectStreamLogsTable {
  node_id: string
  incarnation: string
  read_seq: number
  missing: Generated<number[]>
}

export interface ProjectStreamOpenTable {
  project_id: number
  every_ms: number
  closed_until: Date
  positions: JsonColumn
  bytes: Buffer
}

export interface ProjectStreamReaderTable {
  singleton: Generated<boolean>
  holder: string | null
  leased_until: Date | null
  turn: Generated<number>
  is_reading: Generated<boolean>
  lost_until: Date | null
}

export interface ProjectStreamsTable {
  project_id: number
  epoch: Generated<string>
  first_no: Generated<number>
  next_no: Generated<number>
  bytes: Generated<number>
}

export interface ProjectUsageTable {
  project_id: number
  month: string
  rows: Generated<number>
  told: Generated<number>
}

export interface ProjectsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  type: number | null
  name: string
  description: Generated<string>
  is_reporting: Generated<boolean>
  is_picture_shown: Generated<boolean>
  may_write: Generated<boolean>
  may_embed: Generated<boolean>
  server_id: number | null
  every_s: Generated<number>
  variables: NullableJsonColumn
  origins: Generated<string[]>
  is_stopped_by_operator: Generated<boolean>
  wrong_keys_told_at: Date | null
  created_at: Date
}

export interface PushTicketsTable {
  ticket_hash: Buffer
  session_id: number
  expires_at: Date
}

export interface QrLoginsTable {
  token_hash: Buffer
  redeem_hash: Buffer
  brand_id: number
  terminal_uuid: string
  terminal_name: string
  terminal_os: string | null
  address: string
  state: Generated<string>
  session_id: number | null
  expires_at: Date
}

export interface RateCountsTable {
  counted: string
  key: string
  tries: number
  ends_at: Date
}

export interface RateMarksTable {
  key: Buffer
  until: Date
}

export interface RawMessagesTable {
  id: GeneratedAlways<number>
  machine_id: number
  at: Date
  topic: string
  bytes: number
  adapter: string | null
  verdict: string
  head: Buffer
  detail: Generated<string>
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: Buffer
}

export interface RegistrationsTable {
  id: GeneratedAlways<number>
  browser_hash: Buffer
  account_hash: Buffer
  country_code: string | null
  phone: string | null
  email: string | null
  name: string
  password_hash: string
  lang: string
  hide_map: boolean
  created_at: Date
  expires_at: Date
}

export interface ReportDeliveriesTable {
  id: GeneratedAlways<number>
  run_id: number
  version_id: number | null
  user_id: number | null
  contact_id: number | null
  state: string
  unseen: Generated<number>
}

export interface ReportFilesTable {
  id: GeneratedAlways<number>
  version_id: number
  format: string
  file_id: number | null
  name: string
  bytes: number
}

export interface ReportRecipientsTable {
  report_id: number
  user_id: number | null
  contact_id: number | null
}

export interface ReportRunsTable {
  id: GeneratedAlways<number>
  report_id: number
  due_at: Date | null
  asked_by: number | null
  is_sent: boolean
  from_at: Date
  to_at: Date
  state: Generated<string>
  attempt: Generated<number>
  error: string | null
  left_out: JsonColumnWithDefault
  queued_at: Date
  ended_at: Date | null
}

export interface ReportVersionsTable {
  id: GeneratedAlways<number>
  run_id: number
  is_own: boolean
  machine_ids: number[]
}

export interface ReportingServersTable {
  id: GeneratedAlways<number>
  name: string
  host: string
  port: number
  created_at: Date
}

export interface ReportsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  name: string
  content: JsonColumn
  every: string
  weekday: number
  month_day: number
  hour: number
  time_zone: string
  formats: string[]
  lang: string
  next_at: Date | null
  created_at: Date
  updated_at: Date
  updated_by: number | null
}

export interface RevokedNodesTable {
  node_id: string
  revoked_at: Date
}

export interface RightChangesTable {
  id: GeneratedAlways<number>
  at: Generated<Date>
  session_id: number | null
  user_id: number | null
  machine_id: number | null
  reason: string
  address: string | null
  xid: Generated<string>
  project_id: number | null
}

export interface SampleAveragesTable {
  tag_id: number
  step: number
  hour: number
  span: number
  bytes: Buffer
}

export interface SampleChunksTable {
  tag_id: number
  hour: number
  span: number
  part: number
  count: number
  bytes: Buffer
}

export interface SampleLogTable {
  node_id: string
  incarnation: string
  seq: number
  committed_at: Date
  samples: number
  bytes: Buffer
}

export interface SampleLogPositionsTable {
  node_id: string
  incarnation: string
  seq: number
  opened_at: Date
  closed_at: Date | null
  latest_seq: number | null
  is_latest_whole: Generated<boolean>
}

export interface SampleMovesTable {
  partition: string
  tag_id: Generated<number>
  micros: Generated<number>
  samples: Generated<number>
  began_at: Generated<Date>
}

export interface SampleStampsTable {
  tag_id: number
  at: Date
  stamp: Date
}

export interface SamplesTable {
  tag_id: number
  at: Date
  received_at: Date
  quality: number
  late: boolean
  num: number | null
  int: number | null
  text: string | null
}

export interface ScadaRequestsTable {
  id: GeneratedAlways<number>
  ticket_no: string
  brand_id: Generated<number>
  lang: string
  company: string
  phone: string
  email: string
  area: string
  project: string
  purpose: string
  address: string
  created_at: Date
  answered_at: Date | null
  answered_by: number | null
  approved: boolean | null
  answer: string | null
}

export interface SecondFactorsTable {
  user_id: number
  secret_sealed: Buffer
  last_step: Generated<number>
  created_at: Date
  confirmed_at: Date | null
}

export interface SelfRegisteredTable {
  machine_id: number
  user_id: number | null
  enterprise_id: number | null
  kind: string
  created_at: Date
}

export interface SessionsTable {
  id: GeneratedAlways<number>
  user_id: number
  token_hash: Buffer
  terminal_uuid: string
  terminal_type: number
  terminal_name: string
  terminal_os: string | null
  address: string
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  expires_at: Date
  ends_at: Date
  proved_at: Date | null
  brand_id: Generated<number>
  program: string | null
}

export interface SetupLinksTable {
  token_hash: Buffer
  machine_id: number
  brand_id: number
  secret: Buffer | null
  created_at: Date
  expire_at: Date
  asked_at: Date | null
  acknowledged_at: Date | null
}

export interface SimAccountsTable {
  name: string
  listed_at: Date | null
  list_begun_at: Date | null
  list_page: string | null
  succeeded_at: Date | null
  failed_at: Date | null
  fault: Generated<string>
}

export interface SimDaysTable {
  sim_id: number
  day: string
  bytes: number
}

export interface SimPlansTable {
  id: GeneratedAlways<number>
  name: string
  account: string
  total_mb: number | null
  cycle: string
  created_at: Date
}

export interface SimsTable {
  id: GeneratedAlways<number>
  iccid: string
  card_key: GeneratedAlways<string | null>
  machine_id: number | null
  plan_id: number
  expire_at: Date | null
  created_at: Date
  state: Generated<number>
  word: Generated<string>
  stop_reason: string | null
  msisdn: Generated<string>
  active_at: Date | null
  changed_at: Date | null
  used_bytes: number | null
  cycle_from: string | null
  as_of: Date | null
  runs_out: string | null
  runs_out_earliest: string | null
  runs_out_latest: string | null
  failed_at: Date | null
  due_at: Date
  watch_at: Date | null
  elsewhere_at: Date | null
  told: Generated<string[]>
}

export interface SiteMachinesTable {
  plan_id: number
  machine_id: number
  user_id: number | null
  enterprise_id: number | null
  x: number
  y: number
}

export interface SitePlansTable {
  id: GeneratedAlways<number>
  site_id: number
  place: number
  name: string
  picture: string
}

export interface SiteViewersTable {
  site_id: number
  user_id: number
  seen_at: Date
}

export interface SitesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  name: string
  lat: number
  lng: number
  address: string
  radius_m: number
  revision: Generated<number>
  updated_at: Date
  updated_by: number | null
}

export interface SmsStockRecordsTable {
  id: GeneratedAlways<number>
  stock_id: number
  kind: string
  segments: number
  change: number
  remaining: number
  other_stock_id: number | null
  notification_id: number | null
  by_user_id: number | null
  note: Generated<string>
  at: Date
}

export interface SmsStocksTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  stock: Generated<number>
  created_at: Date
}

export interface SmsTemplatesTable {
  brand_id: number
  lang: string
  purpose: string
  template: string
}

export interface StorageBudgetsTable {
  is_only: Generated<boolean>
  person_bytes: Generated<number>
  enterprise_bytes: Generated<number>
}

export interface StoredBytesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  bytes: number
}

export interface TagLatestTable {
  tag_id: number
  at: Date
  received_at: Date
  quality: number
  num: number | null
  int: number | null
  text: string | null
  stamp: Date | null
}

export interface TagSettingsTable {
  machine_id: number
  group_name: string
  tag_name: string
  settings: JsonColumn
  updated_at: Date
}

export interface TagsTable {
  id: GeneratedAlways<number>
  machine_id: number
  group_name: string
  name: string
  version: Generated<number>
  type: string
  label: JsonColumnWithDefault
  unit: Generated<string>
  scale: number | null
  read_only: boolean | null
  min: number | null
  max: number | null
  enum: NullableJsonColumn
  is_key: Generated<boolean>
  created_at: Generated<Date>
  retired_at: Date | null
  disowned_at: Date | null
}

export interface TelemetryStateTable {
  singleton: Generated<boolean>
  latest_flushed_at: Date
}

export interface TileSourcesTable {
  id: GeneratedAlways<number>
  brand_id: number
  name_cn: string
  name_en: string
  kind: string
  url: string
  system: string
  min_zoom: number
  max_zoom: number
  attribution: string
  review_number: string
  key_sealed: Buffer | null
  is_cached: boolean
  version: Generated<string>
  failed_at: Date | null
  fault: string | null
  status: number | null
}

export interface ToldPlacesTable {
  machine_id: number
  told: JsonColumn
  told_at: Date
  fresh: string[]
  taken_at: Date | null
}

export interface UploadsTable {
  key: string
  purpose: string
  user_id: number | null
  kind: string
  content: Buffer
  created_at: Generated<Date>
}

export interface UserEventCountsTable {
  user_id: number
  last_id: number
}

export interface UserEventsTable {
  user_id: number
  id: number
  scene: number
  body: Buffer
  at: Date
  xid: Generated<string>
}

export interface UsersTable {
  id: GeneratedAlways<number>
  name: string
  country_code: string | null
  phone: string | null
  email: string | null
  phone_verified_at: Date | null
  email_verified_at: Date | null
  password_hash: string
  state: Generated<string>
  is_operator: Generated<boolean>
  hide_map: Generated<boolean>
  lang: Generated<string>
  login_expiry_days: Generated<number>
  created_at: Generated<Date>
  notify_new_terminal: Generated<boolean>
  search_text: GeneratedAlways<string>
  time_zone: string | null
  leaves_at: Date | null
}

export interface ViewsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  enterprise_id: number | null
  name: string
  state: JsonColumn
  updated_at: Date
  updated_by: number | null
}

export interface VisitCodesTable {
  code_hash: Buffer
  visit_id: number
  host: string
  state_hash: Buffer
  expires_at: Date
}

export interface VisitCookiesTable {
  cookie_hash: Buffer
  visit_id: number
  host: string
  created_at: Generated<Date>
}

export interface VisitPortsTable {
  visit_id: number
  name: string
  kind: string
  streams: Generated<number>
  bytes_in: Generated<number>
  bytes_out: Generated<number>
  reads: Generated<number>
  writes: Generated<number>
  refused: Generated<number>
}

export interface VisitSnapshotsTable {
  visit_id: number
  begun_at: Date
  ended_at: Date | null
  settled_at: Date | null
  values_before: JsonColumnWithDefault
  values_after: JsonColumnWithDefault
  revision_before: number | null
  revision_after: number | null
}

export interface VisitTicketsTable {
  ticket_hash: Buffer
  visit_id: number
  mode: string
  expires_at: Date
}

export interface VisitsTable {
  id: GeneratedAlways<number>
  user_id: number
  session_id: number | null
  machine_id: number
  kind: Generated<string>
  target: string
  address: string
  started_at: Date
  ends_at: Date
  active_at: Date
  bytes_in: Generated<number>
  bytes_out: Generated<number>
  was_rw: Generated<boolean>
  ended_at: Date | null
  end_reason: string | null
  end_note: Generated<string>
  ended_by: number | null
  reached_by: string | null
  project_id: number | null
  link_id: number | null
  project_key_id: number | null
  port_reach: string | null
}

export interface WritesTable {
  id: GeneratedAlways<number>
  machine_id: number
  tag_id: number
  user_id: number | null
  visit_id: number | null
  source: string
  at: Date
  from_value: NullableJsonColumn
  to_value: JsonColumn
  kept_value: NullableJsonColumn
  state: Generated<string>
  ended_at: Date | null
  note: Generated<string>
  reason: Generated<string>
  node_id: string | null
}

export interface DB {
  agent_config_changes: AgentConfigChangesTable
  alarm_contact_asks: AlarmContactAsksTable
  alarm_contact_machines: AlarmContactMachinesTable
  alarm_contacts: AlarmContactsTable
  alarm_escalation_runs: AlarmEscalationRunsTable
  alarm_escalations: AlarmEscalationsTable
  alarm_events: AlarmEventsTable
  alarm_links: AlarmLinksTable
  alarm_messages: AlarmMessagesTable
  alarm_rule_positions: AlarmRulePositionsTable
  alarm_rule_states: AlarmRuleStatesTable
  alarm_rule_templates: AlarmRuleTemplatesTable
  alarm_rules: AlarmRulesTable
  alarm_settings_enterprise: AlarmSettingsEnterpriseTable
  alarm_settings_machine: AlarmSettingsMachineTable
  alarm_settings_user: AlarmSettingsUserTable
  alarm_shelves: AlarmShelvesTable
  alarm_visitors: AlarmVisitorsTable
  alarms: AlarmsTable
  annotation_machines: AnnotationMachinesTable
  annotation_versions: AnnotationVersionsTable
  annotations: AnnotationsTable
  application_steps: ApplicationStepsTable
  applications: ApplicationsTable
  audit_batches: AuditBatchesTable
  audit_entries: AuditEntriesTable
  board_shares: BoardSharesTable
  board_templates: BoardTemplatesTable
  board_versions: BoardVersionsTable
  board_viewers: BoardViewersTable
  boards: BoardsTable
  brand_hosts: BrandHostsTable
  brands: BrandsTable
  code_failures: CodeFailuresTable
  code_tickets: CodeTicketsTable
  codes: CodesTable
  control_requests: ControlRequestsTable
  controllers: ControllersTable
  data_retention: DataRetentionTable
  database_role: DatabaseRoleTable
  dead_letters: DeadLettersTable
  deliveries: DeliveriesTable
  destination_lanes: DestinationLanesTable
  destination_replays: DestinationReplaysTable
  destination_secrets: DestinationSecretsTable
  destinations: DestinationsTable
  device_codes: DeviceCodesTable
  embedding_codes: EmbeddingCodesTable
  enterprise_groups: EnterpriseGroupsTable
  enterprise_handovers: EnterpriseHandoversTable
  enterprise_invitations: EnterpriseInvitationsTable
  enterprise_machines: EnterpriseMachinesTable
  enterprise_members: EnterpriseMembersTable
  enterprise_team_machines: EnterpriseTeamMachinesTable
  enterprise_team_members: EnterpriseTeamMembersTable
  enterprise_teams: EnterpriseTeamsTable
  enterprises: EnterprisesTable
  exports: ExportsTable
  fact_epoch: FactEpochTable
  fact_followers: FactFollowersTable
  facts: FactsTable
  facts_set_aside: FactsSetAsideTable
  files: FilesTable
  first_connections: FirstConnectionsTable
  former_contacts: FormerContactsTable
  friends: FriendsTable
  ingest_batches: IngestBatchesTable
  known_terminals: KnownTerminalsTable
  line_notes: LineNotesTable
  login_challenges: LoginChallengesTable
  login_failures: LoginFailuresTable
  lost_spans: LostSpansTable
  machine_blacklist: MachineBlacklistTable
  machine_checks: MachineChecksTable
  machine_connections: MachineConnectionsTable
  machine_grants: MachineGrantsTable
  machine_groups: MachineGroupsTable
  machine_import_parts: MachineImportPartsTable
  machine_imports: MachineImportsTable
  machine_list_changes: MachineListChangesTable
  machine_list_entries: MachineListEntriesTable
  machine_list_entry_groups: MachineListEntryGroupsTable
  machine_list_trims: MachineListTrimsTable
  machine_password_failures: MachinePasswordFailuresTable
  machine_password_tickets: MachinePasswordTicketsTable
  machine_place_history: MachinePlaceHistoryTable
  machine_places: MachinePlacesTable
  machine_states_told: MachineStatesToldTable
  machine_transfers: MachineTransfersTable
  machine_types: MachineTypesTable
  machines: MachinesTable
  maintenance_windows: MaintenanceWindowsTable
  messages: MessagesTable
  migrations: MigrationsTable
  nodes: NodesTable
  notification_windows: NotificationWindowsTable
  notifications: NotificationsTable
  outgoing: OutgoingTable
  outgoing_attempts: OutgoingAttemptsTable
  outgoing_parts: OutgoingPartsTable
  place_asks: PlaceAsksTable
  place_refreshes: PlaceRefreshesTable
  port_writes: PortWritesTable
  project_consents: ProjectConsentsTable
  project_keys: ProjectKeysTable
  project_machines: ProjectMachinesTable
  project_members: ProjectMembersTable
  project_minutes: ProjectMinutesTable
  project_pulls: ProjectPullsTable
  project_sessions: ProjectSessionsTable
  project_stream: ProjectStreamTable
  project_stream_logs: ProjectStreamLogsTable
  project_stream_open: ProjectStreamOpenTable
  project_stream_reader: ProjectStreamReaderTable
  project_streams: ProjectStreamsTable
  project_usage: ProjectUsageTable
  projects: ProjectsTable
  push_tickets: PushTicketsTable
  qr_logins: QrLoginsTable
  rate_counts: RateCountsTable
  rate_marks: RateMarksTable
  raw_messages: RawMessagesTable
  recovery_codes: RecoveryCodesTable
  registrations: RegistrationsTable
  report_deliveries: ReportDeliveriesTable
  report_files: ReportFilesTable
  report_recipients: ReportRecipientsTable
  report_runs: ReportRunsTable
  report_versions: ReportVersionsTable
  reporting_servers: ReportingServersTable
  reports: ReportsTable
  revoked_nodes: RevokedNodesTable
  right_changes: RightChangesTable
  sample_averages: SampleAveragesTable
  sample_chunks: SampleChunksTable
  sample_log: SampleLogTable
  sample_log_positions: SampleLogPositionsTable
  sample_moves: SampleMovesTable
  sample_stamps: SampleStampsTable
  samples: SamplesTable
  scada_requests: ScadaRequestsTable
  second_factors: SecondFactorsTable
  self_registered: SelfRegisteredTable
  sessions: SessionsTable
  setup_links: SetupLinksTable
  sim_accounts: SimAccountsTable
  sim_days: SimDaysTable
  sim_plans: SimPlansTable
  sims: SimsTable
  site_machines: SiteMachinesTable
  site_plans: SitePlansTable
  site_viewers: SiteViewersTable
  sites: SitesTable
  sms_stock_records: SmsStockRecordsTable
  sms_stocks: SmsStocksTable
  sms_templates: SmsTemplatesTable
  storage_budgets: StorageBudgetsTable
  stored_bytes: StoredBytesTable
  tag_latest: TagLatestTable
  tag_settings: TagSettingsTable
  tags: TagsTable
  telemetry_state: TelemetryStateTable
  tile_sources: TileSourcesTable
  told_places: ToldPlacesTable
  uploads: UploadsTable
  user_event_counts: UserEventCountsTable
  user_events: UserEventsTable
  users: UsersTable
  views: ViewsTable
  visit_codes: VisitCodesTable
  visit_cookies: VisitCookiesTable
  visit_ports: VisitPortsTable
  visit_snapshots: VisitSnapshotsTable
  visit_tickets: VisitTicketsTable
  visits: VisitsTable
  writes: WritesTable
}
