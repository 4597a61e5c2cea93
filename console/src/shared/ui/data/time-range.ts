export interface TimeRange {
  readonly from: number
  readonly to: number
}
