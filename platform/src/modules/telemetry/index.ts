/** What machines measured: group commit, tags, newest values, history. */

export { gapsBetween, listConnectedSpans, listGaps, type Span } from './gaps-store.ts'
export { RecordsRefused, type RefusedTags, TelemetryBusy, TelemetryStopped } from './group-commit.ts'
export { judgeTime, judgeValue } from './judge-sample.ts'
export { qualityNumber, type TagType } from './tag-type.ts'
export { commitMsBounds, createTelemetry, type Telemetry, type TelemetryStats } from './telemetry.ts'
export { telemetryRoutes } from './telemetry-routes.ts'
export { presentValue } from './telemetry-views.ts'
export {
  type AlarmLevel,
  type AlarmRecord,
  type AttributesRecord,
  type SampleRecord,
  type TagDefinitionRecord,
  type UplinkRecord,
  type UplinkValue,
  uplinkLimits,
} from './uplink-record.ts'
