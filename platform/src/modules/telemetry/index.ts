/** Samples of machines: group commit, tags, newest values, history. */

export { RecordsRefused, StoreFailed, TelemetryBusy, TelemetryStopped } from './append-errors.ts'
export { AppendReport } from './append-report.ts'
export type { RefusedTags } from './commit-batch.ts'
export {
  type Connected,
  gapsBetween,
  gapsOf,
  type LastConnection,
  listConnectedSpans,
  listLastConnections,
  listLostSpans,
  type Span,
} from './gaps-store.ts'
export { guessType, typeOfJson } from './guessed-value.ts'
export type { BucketRow, HistoryRow } from './history-rows.ts'
export type { BucketTag } from './history-store.ts'
export { isKept, isTimeBelieved, judgeTime, judgeValue } from './judge-sample.ts'
export type { KeyTagRow } from './key-tags-store.ts'
export { type LostSpan, listReportedLosses } from './lost-spans-store.ts'
export {
  type LiveSample,
  listTagVersions,
  type NamedTag,
  type PastSample,
} from './past-samples-store.ts'
export { listReceivedSamples } from './received-samples-store.ts'
export { charactersHeld, findRounded } from './rounded-number.ts'
export type { SampleWatcher, WatchedSample } from './sample-watch.ts'
export { sparkBuckets } from './spark-ring.ts'
export type { StatisticsRequest, TagStatistics } from './statistics.ts'
export { type ChunkSamples, valuesBefore } from './store/chunk.ts'
export { CounterRise, type Counters, type TellRise } from './store/counter-rise.ts'
export {
  advance,
  type FedRow,
  type Feed,
  findFirstUnread,
  type LogPosition,
  listLogEnds,
  readFeed,
} from './store/log-feed.ts'
export type { LogReader } from './store/log-partitions.ts'
export { decodeLogRow, type SampleSink, type SampleValue } from './store/log-row.ts'
export { type Kept, keptDays, type SampleLengths, usualLengths } from './store/sample-lengths.ts'
export { decodeOrLog, type LogRow, readLog } from './store/sample-log.ts'
export { type Taking, TooManySamples } from './store/sample-reads.ts'
export type { SampleTaker } from './store/sample-taker.ts'
export type { LogName, LogSpan } from './store/tail.ts'
export type { TagSeries } from './tag-series.ts'
export { faultOf, ownOf, shownOf, shownWords } from './tag-settings.ts'
export { type NewTagSettings, setName } from './tag-settings-store.ts'
export type { Watch } from './tag-state.ts'
export { type TagState, trustedQuality } from './tag-state.ts'
export { qualityNumber, qualityOf, type TagType } from './tag-type.ts'
export { listTagTypes } from './tag-types-store.ts'
export {
  createTelemetry,
  type FoundTag,
  type LatestValues,
  type Telemetry,
  type TelemetryOptions,
  type TelemetryStats,
  type WireName,
} from './telemetry.ts'
export { createReadingsModule, createTelemetryModule, type TelemetryModule } from './telemetry-module.ts'
export { presentValue } from './telemetry-views.ts'
export {
  type AlarmLevel,
  type AlarmRecord,
  type AttributesRecord,
  type LostRecord,
  type SampleRecord,
  type TagDefinitionRecord,
  type UplinkRecord,
  type UplinkValue,
  uplinkLimits,
} from './uplink-record.ts'
export { listTagsOfMachines, listTagsWithIds, type WireTag } from './wire-tags-store.ts'
