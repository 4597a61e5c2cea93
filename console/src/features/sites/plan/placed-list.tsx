import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { displayStates } from '../../../shared/ui/data/display-state.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useSitesText } from '../sites-text.ts'
import css from './plan.module.css'

interface PlacedListProps {
  machines: readonly Machine[]
  onChoose: (machineId: number) => void
}

/** The machines of a plan with the words of their states, trouble first. */
export function PlacedList({ machines, onChoose }: PlacedListProps) {
  const t = useSitesText().view
  const rank = (machine: Machine) => displayStates.indexOf(displayState(machine))
  if (machines.length === 0)
    return (
      <Text as="p" tone="quiet">
        {t.none}
      </Text>
    )
  return (
    <Stack as="section" gap={8} aria-label={t.placed}>
      <h3>{t.placed}</h3>
      <ul className={css.list}>
        {machines
          .toSorted((a, b) => rank(a) - rank(b))
          .map((machine) => (
            <li key={machine.id}>
              <button type="button" className={css.row} onClick={() => onChoose(machine.id)}>
                <span className="cut">{machine.name}</span>
                <StateGlyph state={displayState(machine)} />
              </button>
            </li>
          ))}
      </ul>
    </Stack>
  )
}
