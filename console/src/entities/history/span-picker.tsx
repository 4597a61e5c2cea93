import { useText } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import type { Span } from './history-span.ts'
import css from './history-toolbar.module.css'

/** Contains the calendars, which are loaded only for a custom span. */
const SpanForm = lazyPart(() => import('./span-form.tsx').then((module) => module.SpanForm))

interface SpanPickerProps {
  span: Span
  range: TimeRange
  machineZone: string | undefined
  onShow: (span: Span) => void
}

/** Shows the range, and opens the choice of it to the second. */
export function SpanPicker({ span, range, machineZone, onShow }: SpanPickerProps) {
  const t = useText().history
  return (
    <Popover
      label={t.custom.title}
      className={css.panel}
      trigger={
        <button type="button" className={css.range} data-tip={t.custom.title}>
          <Icon name="clock" size={13} />
          <span className="cut">{formatTimeSpan(range)}</span>
        </button>
      }
    >
      {(close) => (
        <SpanForm
          range={span.kind === 'live' ? range : span}
          machineZone={machineZone}
          onShow={(next) => {
            close()
            onShow(next)
          }}
        />
      )}
    </Popover>
  )
}
