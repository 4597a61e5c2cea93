import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatDate } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { machinesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useList } from './use-list.ts'

const template = 'minmax(220px, 1.6fr) minmax(120px, 1fr) minmax(120px, 1fr) 110px 110px 120px'

/** Every machine that may be added, and the way to register more. */
export function MachinesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machines
  const state = useList<'unowned' | 'neverSeen'>()
  const query = useQuery(machinesQuery(state.ask))
  const [isImporting, setImporting] = useState(false)
  const [act, setAct] = useState<Act>()
  const [label, setLabel] = useState<operator.MachineSecrets>()

  function askLabel(machine: operator.MachineRow): void {
    setAct({
      title: t.confirmLabel(machine.machineCode),
      body: t.confirmLabelBody,
      action: t.newLabel,
      danger: true,
      run: async () => {
        setLabel(await call(operator.renewMachineLabel, { id: machine.machineId }, { noNotice: true }))
      },
    })
  }

  return (
    <>
      <OperatorList
        title={all.parts.machines}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
        row={(machine) => (
          <li key={machine.machineId} className={rowCss.row}>
            <NameCell name={machine.name} minor={<CopyCode code={machine.machineCode} />} />
            <Cell caption={t.columns.type}>
              <p>{machine.type}</p>
              {machine.model && <p className={rowCss.minor}>{machine.model}</p>}
            </Cell>
            <Cell caption={t.columns.owner}>
              <p>{machine.ownerKind === 'none' ? t.none : machine.owner}</p>
              {machine.ownerKind === 'enterprise' && <p className={rowCss.minor}>{t.enterprise}</p>}
            </Cell>
            <Cell caption={t.columns.seen}>
              {machine.online ? <Tag tone="good">{t.online}</Tag> : <RelativeTime at={machine.lastSeenAt} />}
            </Cell>
            <Cell caption={t.columns.created}>{formatDate(machine.createdAt)}</Cell>
            <div className={rowCss.actions}>
              {machine.ownerKind === 'none' && (
                <Button kind="ghost" size="small" onClick={() => askLabel(machine)}>
                  {t.newLabel}
                  <span className="sr-only">{machine.machineCode}</span>
                </Button>
              )}
            </div>
          </li>
        )}
      >
        <Button kind="primary" icon="plus" onClick={() => setImporting(true)}>
          {t.import}
        </Button>
      </OperatorList>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {label && !act && <LabelDialog machine={label} onClose={() => setLabel(undefined)} />}
    </>
  )
}
