import { useMemo, useRef } from 'react'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { classes } from '../classes.ts'
import { type Choice, groupChoices } from '../kit/choice.ts'
import { ChoiceOption, ChoiceSections } from '../kit/choice-option.tsx'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import { useKeyOpened } from '../kit/use-key-opened.ts'
import css from './select.module.css'

export interface SelectPanelProps {
  label: string
  choices: readonly Choice[]
  value: string | undefined
  opener: HTMLElement
  onChoose: (value: string) => void
  onClose: () => void
}

/** The open part of a select. */
export function SelectPanel({ label, choices, value, opener, onChoose, onClose }: SelectPanelProps) {
  const at = useRef<HTMLElement>(opener)
  at.current = opener
  useKeyOpened(opener)
  const groups = useMemo(() => groupChoices(choices), [choices])
  return (
    <KitScope>
      <Popover
        className={classes(panel.panel, css.panel)}
        aria-label={label}
        isOpen
        triggerRef={at}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
        offset={4}
      >
        <ListBox
          className={css.list ?? ''}
          aria-label={label}
          autoFocus="first"
          shouldFocusOnHover
          selectionMode="single"
          escapeKeyBehavior="none"
          selectedKeys={value === undefined ? [] : [value]}
          // A press on the chosen item does not clear the choice; it only closes.
          onSelectionChange={(keys) => {
            const [key] = keys
            onClose()
            if (key !== undefined) onChoose(String(key))
          }}
        >
          {groups.length === 1 && groups[0]?.name === undefined ? (
            choices.map((choice) => <ChoiceOption key={choice.value} choice={choice} />)
          ) : (
            <ChoiceSections groups={groups} />
          )}
        </ListBox>
      </Popover>
    </KitScope>
  )
}
