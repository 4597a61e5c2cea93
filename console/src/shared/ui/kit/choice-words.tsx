import { Text } from '../layout/layout.tsx'
import type { Choice } from './choice.ts'
import css from './option.module.css'

/** The content of a choice's line, but for its mark. */
export function ChoiceWords({ choice: { label, hint, detail, icon } }: { choice: Choice }) {
  return (
    <>
      {icon}
      <span className={css.words} data-words>
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
    </>
  )
}
