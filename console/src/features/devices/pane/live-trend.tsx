import type { telemetry } from '@busbar/contract'
import { useState } from 'react'
import { useRuleLimits } from '../../../entities/alarm-rule/use-rule-limits.ts'
import { useVariableColours } from '../../../entities/history/variable-colours.ts'
import { VariablePicker } from '../../../entities/machine/lazy-variable-picker.ts'
import { useLiveValue } from '../../../entities/machine/live-values.ts'
import { usePushState } from '../../../shared/api/live.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { Glyph } from '../../../shared/ui/data/state-glyph.tsx'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { TrendChart } from '../../../shared/ui/data/trend-chart.tsx'
import type { TrendLine } from '../../../shared/ui/data/trend-line.ts'
import { pointAt } from '../../../shared/ui/data/trend-series.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import css from './live-trend.module.css'
import {
  isDrawable,
  type TrendMachine,
  type TrendWindow,
  trendTagsMax,
  trendWindows,
  useTrend,
} from './use-trend.ts'

interface LiveTrendProps {
  machine: TrendMachine
  /** Every tag of the machine. */
  tags: readonly telemetry.Tag[]
  /** Tags shown, in the order of their colours. */
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

const noTags: readonly never[] = []
const windows = Object.keys(trendWindows) as TrendWindow[]

/** Chosen tags over the last minutes, hour or day: history and live values. */
export function LiveTrend({ machine, tags, chosen, onChoose }: LiveTrendProps) {
  const { machines: t, history } = useText()
  const { online, lastSeen } = machine
  const [window, setWindow] = useState(() => firstWindow(online, lastSeen))
  const [cursorAt, setCursorAt] = useState<number | null>(null)
  const [isPicking, setPicking] = useState(false)
  const { connection } = usePushState()
  const shown = useShown(tags, chosen)
  const colours = useVariableColours(tags, chosen)
  const ruleLimits = useRuleLimits(machine.id)
  const trend = useTrend(machine, { tags: shown, window, colours, ruleLimits })
  const drawable = tags.filter(isDrawable)
  const remove = (tagId: number) => onChoose(chosen.filter((other) => other !== tagId))

  return (
    <Box as="section" line="bottom" pad="14 16" aria-labelledby="live-trend">
      <Row below={10} gap={8}>
        <h3 id="live-trend">{t.trend.title}</h3>
        {online && connection === 'live' && (
          <span data-tip={t.trend.live}>
            <Glyph state="online" size={8} />
            <span className="sr-only">{t.trend.live}</span>
          </span>
        )}
        <Box as="span" grows />
        <ToggleGroup
          label={t.trend.window}
          size="small"
          value={window}
          onChange={setWindow}
          options={windows.map((value) => ({ value, label: t.trend.windows[value] }))}
        />
      </Row>
      {drawable.length === 0 ? (
        <Text as="p" tone="quiet">
          {t.trend.noTags}
        </Text>
      ) : (
        <>
          <Row as="ul" below={8} gap={8} align="stretch" wraps>
            {shown.map((tag, index) => (
              <TrendChip
                key={tag.tagId}
                tag={tag}
                online={online}
                line={trend.lines[index]}
                cursorAt={cursorAt}
                onRemove={shown.length > 1 ? () => remove(tag.tagId) : undefined}
              />
            ))}
            {shown.length < trendTagsMax && drawable.length > shown.length && (
              <li className={classes(css.add, shown.length > 2 && css.tight)}>
                <button
                  type="button"
                  className={css.addButton}
                  aria-label={t.trend.add}
                  data-tip={t.trend.add}
                  onClick={() => setPicking(true)}
                >
                  <Icon name="plus" size={14} />
                  <span className="cut">{t.trend.add}</span>
                </button>
              </li>
            )}
          </Row>
          <TrendChart
            label={t.trend.label(shown.map((tag) => tag.name).join(', '), t.trend.windowNames[window])}
            lines={trend.lines}
            range={trend.range}
            band={window !== '15m'}
            busy={trend.busy}
            onCursor={setCursorAt}
          />
          {trend.failed && (
            <Row as="p" above={4} gap={8} justify="center" tone="soft" role="alert">
              {t.trend.failed}
              <Button size="small" icon="refresh" onClick={trend.retry}>
                {t.failed.retry}
              </Button>
            </Row>
          )}
        </>
      )}
      {isPicking && (
        <VariablePicker
          machines={[machine]}
          chosen={chosen}
          known={noTags}
          max={trendTagsMax}
          min={1}
          verb={history.picker.show}
          isOffered={isDrawable}
          onChoose={(next) => {
            setPicking(false)
            onChoose(next)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </Box>
  )
}

/** The shortest span with data of an offline machine. */
function firstWindow(online: boolean, lastSeen: number | null): TrendWindow {
  if (online || lastSeen === null) return '15m'
  const silentMs = Date.now() - lastSeen
  return windows.find((window) => trendWindows[window].spanMs > silentMs) ?? '24h'
}

/** The tags behind the chosen ids, the same array while they are the same. */
function useShown(tags: readonly telemetry.Tag[], chosen: readonly number[]): readonly telemetry.Tag[] {
  const shown = chosen
    .map((tagId) => tags.find((tag) => tag.tagId === tagId))
    .filter((tag): tag is telemetry.Tag => tag !== undefined)
  const [kept, keep] = useState(shown)
  const same = kept.length === shown.length && kept.every((tag, index) => tag === shown[index])
  if (!same) keep(shown)
  return same ? kept : shown
}

interface TrendChipProps {
  tag: telemetry.Tag
  line: TrendLine | undefined
  online: boolean
  cursorAt: number | null
  onRemove: (() => void) | undefined
}

/** The legend of one curve: its value now, or under the pointer. */
function TrendChip({ tag, line, online, cursorAt, onRemove }: TrendChipProps) {
  const t = useText().machines
  const live = useLiveValue(tag.tagId)
  const isPast = cursorAt !== null
  const past = (isPast && line ? pointAt(line, cursorAt)?.value : null) ?? null
  const value = isPast ? (tag.type === 'bool' && past !== null ? past >= 0.5 : past) : live?.value
  const quality = isPast ? 'good' : online ? (live?.quality ?? 'good') : 'stale'
  return (
    <Box as="li" surface="well" shrinks className={css.chip}>
      <Row as="span" gap={6} tone="quiet" size="12/16" className={css.name}>
        <span className={css.dash} style={{ background: `var(--chart-${line?.colour ?? 1})` }} />
        <span className="cut" title={tag.name}>
          {tag.name}
        </span>
      </Row>
      <TagValueText value={value} tag={tag} quality={quality} className={css.value} />
      {onRemove && (
        <button type="button" className={css.remove} aria-label={t.trend.remove(tag.name)} onClick={onRemove}>
          <Icon name="close" size={12} />
        </button>
      )}
    </Box>
  )
}
