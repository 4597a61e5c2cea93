import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'
import css from './choice-fields.module.css'

export interface Chip {
  readonly value: number
  readonly label: string
}

interface ChipsProps {
  chips: readonly Chip[]
  /** Names the button of a chip for screen readers. */
  removeLabel: (label: string) => string
  onRemove: (value: number) => void
}

/** Chosen things side by side; a press on one removes it. */
export function Chips({ chips, removeLabel, onRemove }: ChipsProps) {
  if (chips.length === 0) return null
  return (
    <Row as="ul" above={6} gap={6} align="stretch" wraps className={css.chosen}>
      {chips.map(({ value, label }) => (
        <li key={value}>
          <button
            type="button"
            className={css.chip}
            aria-label={removeLabel(label)}
            onClick={() => onRemove(value)}
          >
            <span className="cut" title={label}>
              {label}
            </span>
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </Row>
  )
}
