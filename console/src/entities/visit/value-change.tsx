import type { telemetry } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { Text } from '../../shared/ui/layout/layout.tsx'

/** The words of values whose variable is not at hand. */
export function useValueWords(): (value: telemetry.TagValue) => string {
  const { bool } = useText().machines
  return (value) => formatTagValue(value, { unit: '', scale: null }, bool).text
}

interface ValueChangeProps {
  from: telemetry.TagValue
  to: telemetry.TagValue
  /** On one line with its variable, whose name is cut instead. */
  isWhole?: boolean
}

/** A value before and after, for eyes and for ears. */
export function ValueChange({ from, to, isWhole = false }: ValueChangeProps) {
  const { wrote } = useText().visits.pane
  const say = useValueWords()
  return (
    <Text breaks shrinks fixed={isWhole} tone="soft" numbers>
      <span className="sr-only">{wrote(say(from), say(to))}</span>
      <span aria-hidden="true">
        {say(from)} →{' '}
        <Text as="b" tone="text" weight={600}>
          {say(to)}
        </Text>
      </span>
    </Text>
  )
}
