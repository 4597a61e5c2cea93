import { type ReactNode, useContext } from 'react'
import {
  DateRangePickerStateContext,
  type DateValue,
  DateRangePicker as LibraryDateRangePicker,
  Popover,
  RangeCalendar,
  type RangeValue,
} from 'react-aria-components/DateRangePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { useLang, useText } from '../../i18n/language.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { useNoteChange } from '../kit/dialog-box.ts'
import field from '../kit/field.module.css'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import { Row, Text } from '../layout/layout.tsx'
import { CalendarView } from './calendar-view.tsx'
import css from './date.module.css'
import { DateBox, Segments, TimeOfDay } from './date-parts.tsx'
import { Done } from './date-picker.tsx'
import { dateLocales, type Granularity } from './instants.ts'
import { useDraft } from './use-draft.ts'

export type DateSpan = RangeValue<DateValue>

/** The common part of the two range pickers. */
export interface RangeFieldProps {
  label: string
  isLabelHidden?: boolean
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  error?: string | undefined
  className?: string | undefined
}

interface Props extends RangeFieldProps {
  value: DateSpan | null
  /** Tells two values apart. */
  valueKey: string
  onCommit: (value: DateSpan) => void
  granularity: Granularity | 'day'
  placeholder: DateValue
  min?: DateValue | undefined
  max?: DateValue | undefined
  presets: readonly { readonly label: string; readonly choose: () => void }[]
  /**
   * Shown under the calendar: which time zone applies. Typed parts have to be committed before the zone
   * changes.
   */
  foot?: (commit: () => void) => ReactNode
}

/** Two dates in one field, a calendar for both, and spans that are chosen by their names. */
export function RangeField(props: Props) {
  const { label, isLabelHidden = false, size = 'medium', disabled = false, error, className } = props
  const { value, valueKey, onCommit, granularity, placeholder, min, max, presets, foot } = props
  const t = useText().kit.date
  const lang = useLang()
  const noteChange = useNoteChange()
  const { draft, change, commit } = useDraft<DateSpan | null>(value, valueKey, (next) => {
    if (!next || next.start.compare(next.end) > 0) return
    noteChange()
    onCommit(next)
  })
  const isReversed = draft !== null && draft.start.compare(draft.end) > 0
  return (
    <KitScope locale={dateLocales[lang]}>
      <LibraryDateRangePicker
        className={classes(field.field, error && field.wrong, className)}
        value={draft}
        onChange={change}
        onBlur={() => commit()}
        onOpenChange={(isOpen) => !isOpen && commit()}
        // It stays open for the times; without any it takes the time now for both, and closes.
        shouldCloseOnSelect={granularity === 'day' || draft === null}
        granularity={granularity}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        firstDayOfWeek="mon"
        placeholderValue={placeholder}
        {...(min ? { minValue: min } : {})}
        {...(max ? { maxValue: max } : {})}
        isDisabled={disabled}
        {...(error ? { isInvalid: true } : {})}
        validationBehavior="aria"
      >
        <DateBox
          label={label}
          isLabelHidden={isLabelHidden}
          error={error}
          problem={isReversed ? t.order : t.outside}
          size={size}
          onEnter={commit}
        >
          <Segments slot="start" />
          <Text aria-hidden="true" tone="quiet">
            –
          </Text>
          <Segments slot="end" />
        </DateBox>
        <Popover className={panel.panel ?? ''} offset={6}>
          <Dialog className={css.dialog ?? ''}>
            {({ close }) => (
              <>
                {presets.length > 0 && (
                  <Row role="group" aria-label={t.presetsLabel} gap={6} align="stretch" wraps>
                    {presets.map((preset) => (
                      <Button
                        key={preset.label}
                        size="small"
                        onClick={() => {
                          preset.choose()
                          close()
                        }}
                      >
                        {preset.label}
                      </Button>
                    ))}
                  </Row>
                )}
                <RangeCalendar>
                  <CalendarView />
                </RangeCalendar>
                {granularity !== 'day' && <Times granularity={granularity} />}
                {foot?.(commit)}
                <Done onClick={close} />
              </>
            )}
          </Dialog>
        </Popover>
      </LibraryDateRangePicker>
    </KitScope>
  )
}

function Times({ granularity }: { granularity: Granularity }) {
  const t = useText().kit.date
  const state = useContext(DateRangePickerStateContext)
  return (
    <Row gap={10} align="stretch">
      <TimeOfDay
        label={t.startTime}
        value={state?.timeRange?.start}
        granularity={granularity}
        onChange={(time) => state?.setTime('start', time)}
      />
      <TimeOfDay
        label={t.endTime}
        value={state?.timeRange?.end}
        granularity={granularity}
        onChange={(time) => state?.setTime('end', time)}
      />
    </Row>
  )
}
