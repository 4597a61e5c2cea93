import { Header, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Icon } from '../icon.tsx'
import type { Choice, ChoiceGroup } from './choice.ts'
import { ChoiceWords } from './choice-words.tsx'
import css from './option.module.css'

/** The line of a choice in a list. */
export function ChoiceOption({ choice }: { choice: Choice }) {
  const { value, label, disabled = false } = choice
  return (
    <ListBoxItem id={value} textValue={label} isDisabled={disabled} className={css.option ?? ''}>
      {({ isSelected, selectionMode }) => (
        <>
          <ChoiceWords choice={choice} />
          <span className={selectionMode === 'multiple' ? css.box : css.check}>
            {isSelected && <Icon name="check" size={selectionMode === 'multiple' ? 12 : 14} />}
          </span>
        </>
      )}
    </ListBoxItem>
  )
}

/** Choices under the names of their groups. */
export function ChoiceSections<T extends string>({ groups }: { groups: readonly ChoiceGroup<T>[] }) {
  return groups.map(({ name, choices }) => (
    <ListBoxSection key={name ?? ''} id={`group ${name ?? ''}`} aria-label={name ?? ' '}>
      {name !== undefined && <Header className={css.group ?? ''}>{name}</Header>}
      {choices.map((choice) => (
        <ChoiceOption key={choice.value} choice={choice} />
      ))}
    </ListBoxSection>
  ))
}
