import { Header, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Icon } from '../icon.tsx'
import { Text } from '../layout/layout.tsx'
import type { Choice, ChoiceGroup } from './choice.ts'
import css from './option.module.css'

/** The line of a choice in a list. */
export function ChoiceOption({ choice }: { choice: Choice }) {
  const { value, label, hint, detail, icon, disabled = false } = choice
  return (
    <ListBoxItem id={value} textValue={label} isDisabled={disabled} className={css.option ?? ''}>
      {({ isSelected, selectionMode }) => (
        <>
          {icon}
          <span className={css.words}>
            <span className={`${css.label} cut`} title={label}>
              {label}
            </span>
            {detail && (
              <Text as="small" tone="quiet" size={11} pretty className={css.detail}>
                {detail}
              </Text>
            )}
          </span>
          {hint && (
            <Text fixed tone="quiet" size={12} cut numbers className={css.hint}>
              {hint}
            </Text>
          )}
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
