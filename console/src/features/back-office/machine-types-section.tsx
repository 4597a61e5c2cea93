import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { iconsQuery } from '../../entities/machine/machine-queries.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { MachineTypeForm } from './machine-type-form.tsx'
import { MachineTypeProbe } from './machine-type-probe.tsx'
import { operatorPages } from './operator-list.tsx'
import { machineTypesMax, operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { RegisterList } from './register-list.tsx'

type Row = operator.MachineTypeRow

/** The list of machine types: name, picture and codes of each. One page holds all, so that they are sorted together. */
export function MachineTypesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machineTypes
  const lang = useLang()
  const namesOf = (types: Row['losesTo']) => types.map(({ name }) => name[lang]).join(', ')
  return (
    <RegisterList
      id="operator.machineTypes"
      title={all.parts.machineTypes}
      words={t}
      form={MachineTypeForm}
      removes={calls(operator.removeMachineType, ({ id }: Row) => ({ id }))}
      rows={operatorPages(operator.listMachineTypes, {}, { size: machineTypesMax })}
      titles={{ ...t.columns, name: t.columns.type, type: t.columns.id }}
      columns={{
        place: { kind: 'count', value: 'place', width: 64, rank: 3 },
        name: {
          kind: 'name',
          value: ({ name }) => name[lang],
          width: 210,
          before: (row) => <MachinePicture look={row} size="card" />,
          minor: ({ name }) => name[lang === 'cn' ? 'en' : 'cn'],
        },
        type: { kind: 'text', value: 'type', rank: 4, grow: 0 },
        pattern: {
          kind: 'text',
          value: 'pattern',
          width: 180,
          grow: 1.6,
          rank: 2,
          card: 'plain',
          cell: ({ pattern }) =>
            pattern ? <span className="mono cut">{pattern}</span> : <Text tone="quiet">{t.noPattern}</Text>,
        },
        overlap: {
          kind: 'text',
          value: ({ losesTo }) => namesOf(losesTo),
          rank: 5,
          card: 'plain',
          cell: ({ losesTo }) =>
            losesTo[0] ? (
              <span className="cut" title={t.overlapHint(losesTo[0].code)}>
                <Tag tone="warn">{t.overlap(namesOf(losesTo))}</Tag>
              </span>
            ) : null,
        },
      }}
      filters={{ only: { title: t.columns.pattern, choices: t.filters } }}
      also={[{ label: t.probe, icon: 'search', opens: (close) => <MachineTypeProbe onClose={close} /> }]}
      touched={[operatorKey, iconsQuery.queryKey]}
      empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
    />
  )
}
