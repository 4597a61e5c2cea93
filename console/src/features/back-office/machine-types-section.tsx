import { operator } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { iconsQuery } from '../../entities/machine/machine-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useLang } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { showNotice } from '../../shared/ui/notice-store.ts'
import { Segmented } from '../../shared/ui/segmented.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { MachineTypeForm } from './machine-type-form.tsx'
import { MachineTypeProbe } from './machine-type-probe.tsx'
import css from './machine-types-section.module.css'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { type MachineTypeOrder, machineTypesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useList } from './use-list.ts'

type Row = operator.MachineTypeRow

const template = 'minmax(230px, 1.2fr) minmax(200px, 1.6fr) 60px minmax(160px, 0.6fr)'

/** The list of machine types: name, picture and codes of each. */
export function MachineTypesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machineTypes
  const lang = useLang()
  const other = lang === 'cn' ? 'en' : 'cn'
  const queries = useQueryClient()
  const state = useList<'patterns' | 'overlaps'>()
  const [sort, setSort] = useState<MachineTypeOrder>('place')
  const query = useQuery(machineTypesQuery(state.ask, sort))
  const [opened, setOpened] = useState<Row | 'new' | 'probe'>()
  const [act, setAct] = useState<Act>()

  const remove = ({ id, name }: Row) =>
    setAct({
      title: t.confirmRemove(name[lang]),
      body: t.confirmRemoveBody,
      action: t.remove,
      danger: true,
      run: () => call(operator.removeMachineType, { id }, { noNotice: true }),
      onDone: () => {
        showNotice(all.done)
        void queries.invalidateQueries({ queryKey: iconsQuery.queryKey })
      },
    })

  return (
    <>
      <OperatorList
        title={all.parts.machineTypes}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
        row={(row) => (
          <li key={row.id} className={rowCss.row}>
            <div className={css.type}>
              <MachinePicture look={row} size="card" />
              <NameCell name={row.name[lang]} minor={`${row.name[other]} · ${row.type}`} />
            </div>
            <Cell caption={t.columns.pattern} wide>
              {row.pattern ? (
                <span className="mono">{row.pattern}</span>
              ) : (
                <span className={css.none}>{t.noPattern}</span>
              )}
              {row.losesTo[0] && (
                <p title={t.overlapHint(row.losesTo[0].code)}>
                  <Tag tone="warn">{t.overlap(row.losesTo.map(({ name }) => name[lang]).join(', '))}</Tag>
                </p>
              )}
            </Cell>
            <Cell caption={t.columns.place}>{formatNumber(row.place)}</Cell>
            <div className={rowCss.actions}>
              <Button size="small" onClick={() => setOpened(row)}>
                {t.edit}
                <span className="sr-only">{row.name[lang]}</span>
              </Button>
              <Button kind="ghost" size="small" onClick={() => remove(row)}>
                {t.remove}
                <span className="sr-only">{row.name[lang]}</span>
              </Button>
            </div>
          </li>
        )}
      >
        <Segmented
          label={t.sort}
          size="small"
          className={css.sort}
          options={operator.machineTypeOrders.map((value) => ({ value, label: t.sorts[value] }))}
          value={sort}
          onChange={setSort}
        />
        <Button icon="search" onClick={() => setOpened('probe')}>
          {t.probe}
        </Button>
        <Button kind="primary" icon="plus" onClick={() => setOpened('new')}>
          {t.add}
        </Button>
      </OperatorList>
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {opened === 'probe' && <MachineTypeProbe onClose={() => setOpened(undefined)} />}
      {opened && opened !== 'probe' && (
        <MachineTypeForm row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
