import { operator } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { MachinePicture } from '../../entities/machine/machine-picture.tsx'
import { iconsQuery } from '../../entities/machine/machine-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { type Act, ActDialog } from './act-dialog.tsx'
import { MachineTypeForm } from './machine-type-form.tsx'
import { MachineTypeProbe } from './machine-type-probe.tsx'
import css from './machine-types-section.module.css'
import { OperatorBulk } from './operator-bulk.tsx'
import { machineTypesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type Row = operator.MachineTypeRow

const keyOf = ({ id }: Row) => id

/** The list of machine types: name, picture and codes of each. */
export function MachineTypesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machineTypes
  const { table } = useText()
  const lang = useLang()
  const queries = useQueryClient()
  const list = useOperatorList({ id: 'machineTypes', queryOf: machineTypesQuery })
  const filters = useOnly<Row>(t.columns.pattern, t.filters)
  const [opened, setOpened] = useState<Row | 'new' | 'probe'>()
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<Row>>()

  const columns = useMemo((): readonly TableColumn<Row>[] => {
    const other = lang === 'cn' ? 'en' : 'cn'
    const remove = ({ id, name }: Row) =>
      setAct({
        title: t.confirmRemove(name[lang]),
        body: t.confirmRemoveBody,
        action: t.remove,
        danger: true,
        run: () => call(operator.removeMachineType, { id }, { noNotice: true }),
        onDone: () => {
          showToast(all.done)
          void queries.invalidateQueries({ queryKey: iconsQuery.queryKey })
        },
      })
    return [
      {
        id: 'place',
        title: t.columns.place,
        ...{ width: 64, rank: 3 },
        value: ({ place }) => place,
      },
      {
        id: 'name',
        title: t.columns.type,
        ...{ width: 210, grow: 1.2, rank: 0, pinned: 'start', card: 'name' },
        value: ({ name }) => name[lang],
        cell: (row) => (
          <NameCell
            before={<MachinePicture look={row} size="card" />}
            name={row.name[lang]}
            minor={row.name[other]}
          />
        ),
      },
      { id: 'type', title: t.columns.id, width: 130, rank: 4, value: ({ type }) => type },
      {
        id: 'pattern',
        title: t.columns.pattern,
        ...{ width: 180, grow: 1.6, rank: 2, card: 'plain' },
        value: ({ pattern }) => pattern,
        cell: ({ pattern }) =>
          pattern ? (
            <span className="mono cut">{pattern}</span>
          ) : (
            <span className={css.none}>{t.noPattern}</span>
          ),
      },
      {
        id: 'overlap',
        title: t.columns.overlap,
        ...{ width: 150, grow: 1, rank: 5, card: 'plain' },
        value: ({ losesTo }) => losesTo.map(({ name }) => name[lang]).join(', '),
        cell: ({ losesTo }) =>
          losesTo[0] ? (
            <span className="cut" title={t.overlapHint(losesTo[0].code)}>
              <Tag tone="warn">{t.overlap(losesTo.map(({ name }) => name[lang]).join(', '))}</Tag>
            </span>
          ) : null,
      },
      actionsColumn<Row>(table.actions, 140, (row) => (
        <RowActions>
          <Button size="small" onClick={() => setOpened(row)}>
            {t.edit}
            <span className="sr-only">{row.name[lang]}</span>
          </Button>
          <Button kind="ghost" size="small" onClick={() => remove(row)}>
            {t.remove}
            <span className="sr-only">{row.name[lang]}</span>
          </Button>
        </RowActions>
      )),
    ]
  }, [t, all, table, lang, queries])

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.machineTypes}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={({ name }) => name[lang]}
        search={t.search}
        fileName={all.parts.machineTypes}
        onOpen={setOpened}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
        bulk={(rows) => (
          <Button
            size="small"
            onClick={() =>
              setBulk({
                title: all.bulk(t.remove, rows.length),
                body: t.confirmRemoveBody,
                action: t.remove,
                danger: true,
                rows,
                keyOf,
                nameOf: ({ name }) => name[lang],
                run: ({ id }) => call(operator.removeMachineType, { id }, { noNotice: true }),
                done: all.done,
              })
            }
          >
            {t.remove}
          </Button>
        )}
        actions={
          <>
            <Button icon="search" onClick={() => setOpened('probe')}>
              {t.probe}
            </Button>
            <Button kind="primary" icon="plus" onClick={() => setOpened('new')}>
              {t.add}
            </Button>
          </>
        }
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && (
        <OperatorBulk
          bulk={bulk}
          view={list.view}
          onClose={() => {
            setBulk(undefined)
            void queries.invalidateQueries({ queryKey: iconsQuery.queryKey })
          }}
        />
      )}
      {opened === 'probe' && <MachineTypeProbe onClose={() => setOpened(undefined)} />}
      {opened && opened !== 'probe' && (
        <MachineTypeForm row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
