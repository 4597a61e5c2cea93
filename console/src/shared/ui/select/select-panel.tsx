import { Icon } from '../icon.tsx'
import { type Choice, groupChoices } from '../kit/choice.ts'
import { ChoiceWords } from '../kit/choice-words.tsx'
import { Floating } from '../kit/floating.tsx'
import option from '../kit/option.module.css'
import { focusUnderMouse, useLineKeys } from '../kit/use-line-keys.ts'
import css from './select.module.css'

interface SelectPanelProps {
  label: string
  choices: readonly Choice[]
  value: string | undefined
  opener: HTMLElement
  onChoose: (value: string) => void
  onClose: () => void
}

/** The open part of a select. */
export function SelectPanel({ label, choices, value: chosen, opener, onChoose, onClose }: SelectPanelProps) {
  const keys = useLineKeys('first')

  function drawChoice(choice: Choice, close: () => void) {
    const { value, disabled = false } = choice
    return (
      <button
        key={value}
        type="button"
        role="option"
        tabIndex={-1}
        aria-selected={value === chosen}
        aria-disabled={disabled || undefined}
        className={option.option}
        onPointerMove={focusUnderMouse}
        onClick={() => {
          if (disabled) return
          close()
          onChoose(value)
        }}
      >
        <ChoiceWords choice={choice} />
        <span className={option.check}>{value === chosen && <Icon name="check" size={14} />}</span>
      </button>
    )
  }

  return (
    <Floating
      {...{ label, opener, onClose, ...keys }}
      role="listbox"
      placement="bottom start"
      className={css.panel}
    >
      {(close) =>
        groupChoices(choices).map(({ name, choices: members }) =>
          name === undefined ? (
            members.map((choice) => drawChoice(choice, close))
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a list of choices has no fieldsets
            <div key={name} role="group" aria-label={name}>
              <div aria-hidden className={option.group}>
                {name}
              </div>
              {members.map((choice) => drawChoice(choice, close))}
            </div>
          ),
        )
      }
    </Floating>
  )
}
