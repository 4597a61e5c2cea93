import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { worstFirst } from '../../../entities/place/map-features.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Box, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './region-list.module.css'
import type { Region } from './regions.ts'

interface RegionListProps {
  readonly regions: readonly Region[]
  readonly onOpen: (machine: Machine) => void
}

/** The counts of each state, as words. */
function useCountWords() {
  const { states } = useText().machines
  return (machines: readonly Machine[]) =>
    worstFirst
      .map((state) => ({ state, count: machines.filter((each) => displayState(each) === state).length }))
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => `${states[state]} ${formatNumber(count)}`)
      .join(' · ')
}

/** The devices by region, in place of a map that the browser cannot draw. */
export function RegionList({ regions, onOpen }: RegionListProps) {
  const t = useMapText().regions
  const countWords = useCountWords()
  return (
    <section className={css.list} aria-label={t.title}>
      <Box pad="10 12">
        <Text as="p" tone="soft">
          {t.noWebGl}
        </Text>
        <Text as="p" tone="quiet" size="12/18">
          {t.hint}
        </Text>
      </Box>
      {regions.map(({ kind, name, machines }) => (
        <details key={kind + name} className={css.region}>
          <summary data-subject="">
            <b>{kind === 'named' ? name : t[kind]}</b>
            <span className="numbers">{t.count(machines.length)}</span>
            <Text tone="soft" size={12}>
              {countWords(machines)}
            </Text>
          </summary>
          <ul>
            {machines.map((machine) => (
              <li key={machine.id}>
                <button type="button" onClick={() => onOpen(machine)}>
                  <span className="cut">{machine.name}</span>
                  <StateGlyph state={displayState(machine)} size={9} />
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

/** The same for screen readers beside a map: the list beside it has the devices themselves. */
export function RegionCounts({ regions }: { regions: readonly Region[] }) {
  const t = useMapText().regions
  const countWords = useCountWords()
  return (
    <section className="sr-only" aria-label={t.title}>
      <p>{t.hint}</p>
      <ul>
        {regions.map(({ kind, name, machines }) => (
          <li key={kind + name}>
            {`${kind === 'named' ? name : t[kind]}: ${t.count(machines.length)}. ${countWords(machines)}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
