import { Text } from '../../shared/ui/layout/layout.tsx'
import css from './connect.module.css'
import { useConnectText } from './connect-text.ts'

type Step = 'kind' | 'setup' | 'connected'

/** Where one is on the way. */
export function Steps({ at }: { at: Step }) {
  const t = useConnectText().steps
  const steps = ['kind', 'setup', 'connected'] as const
  return (
    <ol className={css.steps} aria-label={t.label}>
      {steps.map((step, place) => (
        <li
          key={step}
          aria-current={step === at ? 'step' : undefined}
          data-done={place < steps.indexOf(at) || undefined}
        >
          <Text fixed numbers className={css.place}>
            {place + 1}
          </Text>
          {t[step]}
        </li>
      ))}
    </ol>
  )
}
