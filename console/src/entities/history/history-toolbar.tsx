import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { useLayoutKind } from '../../shared/ui/layout-kind.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import {
  lengthOf,
  moveRange,
  type Preset,
  presetNames,
  presetOf,
  presets,
  type Span,
  spanAt,
  zoomRange,
} from './history-span.ts'
import { presetText } from './history-text.ts'
import css from './history-toolbar.module.css'
import { ShareButton } from './share-button.tsx'
import { SpanPicker } from './span-picker.tsx'

interface HistoryToolbarProps {
  span: Span
  range: TimeRange
  /** The zone of the machine's clock, if known. */
  machineZone: string | undefined
  /** Switches to the newest data, and shows its state. */
  hearing: boolean
  large: boolean
  table: boolean
  onShow: (span: Span) => void
  onMove: (range: TimeRange) => void
  /** Undefined: it has its size. */
  onLarge: ((large: boolean) => void) | undefined
  onTable: (table: boolean) => void
  /** The address of the current view. */
  onShare: () => string
  onExport: (() => void) | undefined
  /** Leads to the page that exports every value of a span. */
  onExportAll?: (() => void) | undefined
}

const step = 1
const zoom = 2

/** Choice of the time span, moving in time, and actions on the data shown. */
export function HistoryToolbar(props: HistoryToolbarProps) {
  const { span, range, hearing, large, table, onShow, onMove, onLarge } = props
  const t = useText().history
  const layout = useLayoutKind()
  const isLive = span.kind === 'live'
  const pivot = isLive ? range.to : (range.from + range.to) / 2
  const now = () => onShow({ kind: 'live', lengthMs: Math.round(lengthOf(range)) })
  const choice = (
    <ToggleGroup
      label={t.presets}
      size="small"
      className={classes(css.presets, 'fades')}
      value={presetOf(span) ?? ''}
      onChange={(name) => onShow({ kind: 'live', lengthMs: presets[name as Preset] })}
      options={presetNames.map((value) => ({ value: value as string, label: presetText(value, t) }))}
    />
  )
  const tools = (
    <>
      <IconButton
        icon={table ? 'chart' : 'list'}
        size="small"
        label={table ? t.showChart : t.showTable}
        onClick={() => props.onTable(!table)}
      />
      <IconButton
        icon="download"
        size="small"
        label={t.csv}
        disabled={!props.onExport}
        onClick={props.onExport}
      />
      {props.onExportAll && (
        <IconButton icon="transfer" size="small" label={t.exportAll} onClick={props.onExportAll} />
      )}
      <ShareButton onShare={props.onShare} />
      {layout === 'wide' && onLarge && (
        <IconButton
          icon={large ? 'shrink' : 'expand'}
          size="small"
          label={large ? t.small : t.large}
          onClick={() => onLarge(!large)}
        />
      )}
    </>
  )
  const time = (
    <>
      <IconButton
        icon="chevronLeft"
        size="small"
        bordered
        label={t.back}
        onClick={() => onShow(spanAt(moveRange(range, -step), Date.now()))}
      />
      <SpanPicker span={span} range={range} machineZone={props.machineZone} onShow={onShow} />
      <IconButton
        icon="chevronRight"
        size="small"
        bordered
        label={t.forward}
        disabled={isLive}
        onClick={() => onShow(spanAt(moveRange(range, step), Date.now()))}
      />
    </>
  )
  const nearness = (
    <>
      {layout === 'wide' && (
        <>
          <IconButton
            icon="minus"
            size="small"
            label={t.zoomOut}
            onClick={() => onMove(zoomRange(range, zoom, pivot))}
          />
          <IconButton
            icon="plus"
            size="small"
            label={t.zoomIn}
            onClick={() => onMove(zoomRange(range, 1 / zoom, pivot))}
          />
        </>
      )}
      <button
        type="button"
        className={classes(css.live, isLive && css.on)}
        aria-pressed={isLive}
        data-tip={isLive ? t.liveOn : t.liveOff}
        onClick={now}
      >
        <Glyph state={isLive && hearing ? 'online' : 'offline'} size={8} />
        {t.live}
      </button>
    </>
  )
  const isPage = layout === 'wide' && (large || !onLarge)
  if (isPage)
    return (
      <Row gap={4} wraps className={css.bar}>
        {choice}
        {time}
        {nearness}
        <span className={css.space} />
        {tools}
      </Row>
    )
  return (
    <div className={css.toolbar}>
      <Row gap={4} shrinks>
        {choice}
        <span className={css.space} />
        {tools}
      </Row>
      <Row gap={4} shrinks>
        {time}
        <span className={css.space} />
        {nearness}
      </Row>
    </div>
  )
}
