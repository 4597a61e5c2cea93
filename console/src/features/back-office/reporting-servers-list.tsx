import { type Lang, projectLimits, projects } from '@busbar/contract'
import type { ReactNode } from 'react'
import { reportingServersQuery } from '../../entities/project/project-queries.ts'
import { call } from '../../shared/api/client.ts'
import { reportingServersText as cn } from '../../shared/i18n/cn/reporting-servers.ts'
import { reportingServersText as en } from '../../shared/i18n/en/reporting-servers.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { OperatorList } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

type Row = projects.ReportingServer

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }
/** The platform's own endpoint among them. */
const ownId = 1

/** The addresses of the MQTT endpoint that projects choose from. */
export function ReportingServersList(): ReactNode {
  const all = useOperatorText()
  const t = texts[useLang()]
  return (
    <OperatorList
      id="operator.reportingServers"
      title={t.title}
      lead={t.lead}
      rows={whole(reportingServersQuery)}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: ({ id, name }: Row) => (id === ownId ? t.own : name), grow: 2 },
        address: { kind: 'text', value: ({ host, port }) => `${host}:${port}`, grow: 2, rank: 2 },
      }}
      isExported={false}
      isSelectable={false}
      add={{ label: t.add, opens: (close) => <ServerDialog onClose={close} /> }}
      touched={[reportingServersQuery.queryKey]}
      acts={[
        {
          ...calls(projects.deleteReportingServer, ({ id }: Row) => ({ id })),
          label: t.remove,
          fits: ({ id }) => id !== ownId,
          asks: { title: ({ name }) => t.confirmRemove(name), body: t.confirmRemoveBody },
          done: all.done,
        },
      ]}
      empty={{ icon: 'transfer', title: t.empty }}
    />
  )
}

/** NaN for words. */
const portOf = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN)

function ServerDialog({ onClose }: { onClose: () => void }) {
  const all = useOperatorText()
  const t = texts[useLang()]
  const form = useForm({
    route: projects.createReportingServer,
    initial: { name: '', host: '', port: '8883' },
    words: { host: { pattern: t.hostWrong } },
    required: ['name', 'host', 'port'],
    check: ({ port }) => ({ port: portOf(port) >= 1 && portOf(port) <= 65_535 ? undefined : t.portWrong }),
    send: ({ name, host, port }) => call(projects.createReportingServer, { name, host, port: portOf(port) }),
    done: all.done,
    touched: [reportingServersQuery.queryKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.add} submit={t.add} form={form} width={440} onClose={onClose}>
      <TextField
        label={t.columns.name}
        autoFocus
        maxLength={projectLimits.nameMax * 2}
        {...form.text('name')}
      />
      <TextField
        label={t.host}
        autoComplete="off"
        spellCheck={false}
        placeholder="mqtt.plant.example"
        {...form.text('host')}
      />
      <TextField label={t.port} inputMode="numeric" {...form.text('port')} />
    </FormDialog>
  )
}
