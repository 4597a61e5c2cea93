import { useContext, useEffect, useState } from 'react'
import {
  Calendar,
  DatePickerStateContext,
  type DateValue,
  DatePicker as LibraryDatePicker,
  Popover,
} from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import type { TimeValue } from 'react-aria-components/TimeField'
import { useLang, useText } from '../../i18n/language.ts'
import { useZone } from '../../i18n/zone.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { useNoteChange } from '../kit/dialog-box.ts'
import field from '../kit/field.module.css'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import { Row } from '../layout/layout.tsx'
import { CalendarView } from './calendar-view.tsx'
import css from './date.module.css'
import { DateBox, Segments, TimeOfDay, type ZoneChoice, ZoneLine } from './date-parts.tsx'
import { dateLocales, type Granularity, toInstant, toZonedTime } from './instants.ts'
import { useDraft } from './use-draft.ts'

interface DatePickerProps {
  label: string
  isLabelHidden?: boolean
  /** In epoch milliseconds. */
  value: number | null
  onChange: (value: number | null) => void
  granularity?: Granularity
  /** Zones to choose from; the first is used. Otherwise the zone of all times on screen. */
  zones?: readonly ZoneChoice[]
  min?: number
  max?: number
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  error?: string | undefined
  className?: string | undefined
}

/** A moment: typed part by part, or chosen in a calendar with its time. In the language of the page. */
export function DatePicker(props: DatePickerProps) {
  const { label, isLabelHidden = false, value, onChange, granularity = 'minute', zones = [] } = props
  const { min, max, size = 'medium', disabled = false, error, className } = props
  const t = useText().kit.date
  const lang = useLang()
  const noteChange = useNoteChange()
  const pageZone = useZone()
  const [zone, setZone] = useState(zones[0]?.zone ?? pageZone)
  const toValue = (at: number) => toZonedTime(at, zone, granularity)
  const { draft, change, commit } = useDraft<DateValue | null>(
    value === null ? null : toValue(value),
    `${value} ${zone}`,
    (next) => {
      noteChange()
      onChange(next && toInstant(next, zone))
    },
  )
  const [now] = useState(() => Date.now())
  return (
    <KitScope locale={dateLocales[lang]}>
      <LibraryDatePicker
        className={classes(field.field, error && field.wrong, className)}
        value={draft}
        onChange={change}
        onBlur={() => commit()}
        onOpenChange={(isOpen) => !isOpen && commit()}
        shouldCloseOnSelect={false}
        granularity={granularity}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        firstDayOfWeek="mon"
        placeholderValue={toValue(now)}
        {...(min === undefined ? {} : { minValue: toValue(min) })}
        {...(max === undefined ? {} : { maxValue: toValue(max) })}
        isDisabled={disabled}
        {...(error ? { isInvalid: true } : {})}
        validationBehavior="aria"
      >
        <DateBox
          label={label}
          isLabelHidden={isLabelHidden}
          error={error}
          problem={t.outside}
          size={size}
          onEnter={commit}
        >
          <Segments />
        </DateBox>
        <Popover className={panel.panel ?? ''} offset={6}>
          <Dialog className={css.dialog ?? ''}>
            {({ close }) => (
              <>
                <Calendar className={css.single ?? ''}>
                  <CalendarView />
                </Calendar>
                <Time granularity={granularity} usual={toValue(now)} />
                <ZoneLine
                  zone={zone}
                  zones={zones}
                  at={value ?? now}
                  onZone={(next) => {
                    commit()
                    setZone(next)
                  }}
                />
                <Done onClick={close} />
              </>
            )}
          </Dialog>
        </Popover>
      </LibraryDatePicker>
    </KitScope>
  )
}

function Time({ granularity, usual }: { granularity: Granularity; usual: TimeValue }) {
  const t = useText().kit.date
  const state = useContext(DatePickerStateContext)
  // The calendar stays open for the time, but a chosen day applies immediately, with the current time.
  useEffect(() => {
    if (state?.dateValue && !state.timeValue) state.setTimeValue(usual)
  })
  return (
    <Row gap={10} align="stretch">
      <TimeOfDay
        label={t.time}
        value={state?.timeValue}
        granularity={granularity}
        onChange={(time) => state?.setTimeValue(time)}
      />
    </Row>
  )
}

/** Closes the calendar; the choice applies already. */
export function Done({ onClick }: { onClick: () => void }) {
  const t = useText().kit.date
  return (
    <Row align="stretch" justify="end">
      <Button size="small" kind="primary" onClick={onClick}>
        {t.done}
      </Button>
    </Row>
  )
}
