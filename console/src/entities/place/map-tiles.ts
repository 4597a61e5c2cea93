/** A tile source that the operator added, in place of the bundled base map. */
export interface MapTiles {
  /** Another one is another source. */
  readonly id: string
  /** With `{z}`, `{x}` and `{y}`; of the platform’s own host. */
  readonly url: string
  readonly minZoom: number
  readonly maxZoom: number
  /** The system that its pictures are drawn in; marks are moved to it where they are drawn. */
  readonly system: 'wgs84' | 'gcj02'
  readonly attribution: string
  /** Of the review that the rule for maps in China asks for; empty where there is none. */
  readonly reviewNumber: string
}
