import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components/Calendar'
import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'
import css from './date.module.css'

/** A month with its days, inside a calendar of the library: of one day or of a range. */
export function CalendarView() {
  return (
    <>
      <Row as="header">
        <Button slot="previous" className={css.turn ?? ''}>
          <Icon name="chevronLeft" size={14} />
        </Button>
        <Heading className={css.monthName ?? ''} />
        <Button slot="next" className={css.turn ?? ''}>
          <Icon name="chevronRight" size={14} />
        </Button>
      </Row>
      <CalendarGrid weekdayStyle="short" className={css.grid ?? ''}>
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={css.weekday ?? ''}>{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => <CalendarCell date={date} className={css.day ?? ''} />}
        </CalendarGridBody>
      </CalendarGrid>
    </>
  )
}
