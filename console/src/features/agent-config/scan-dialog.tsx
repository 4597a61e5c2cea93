import { agentConfig } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { agentScanQuery } from '../../entities/machine/agent-config-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import type { Connection } from './draft.ts'
import css from './drivers.module.css'
import { LookFailure } from './look-failure.tsx'
import { type Proved, readOrAsk } from './proved.ts'
import { connectionTo, countHosts, firstPartOf, isScannable, leadsThere, scanLastsS } from './scans.ts'

interface ScanDialogProps {
  machineId: number
  /** Of the agent's file. */
  networks: readonly string[]
  /** The drivers that the agent can have. */
  kinds: readonly string[]
  connections: readonly Connection[]
  proved: Proved
  onSetUp: (connection: Connection) => void
  onClose: () => void
}

/** Says first what a scan does in the plant's network, then shows its progress and the controllers that answered. */
export function ScanDialog(props: ScanDialogProps) {
  const { machineId, networks, kinds, connections, proved, onSetUp, onClose } = props
  const all = useAgentConfigText()
  const t = all.scan
  const { app } = useText()
  const client = useQueryClient()
  const [network, setNetwork] = useState(networks[0] ?? '')
  const [part, setPart] = useState(firstPartOf(network))
  const { data: scan } = useQuery(agentScanQuery(machineId))
  const start = useMutation({
    mutationFn: () =>
      readOrAsk(proved, async () => {
        await call(agentConfig.startScan, { machineId, network: part.trim() }, { noNotice: true })
        return true
      }),
    onSettled: () => client.invalidateQueries({ queryKey: agentScanQuery(machineId).queryKey }),
  })
  const isRunning = scan?.state === 'running'
  const hosts = countHosts(part)
  const isWide = !isScannable(network)
  return (
    <Dialog
      title={t.title}
      width={560}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.close}</Button>
          <Button
            kind="primary"
            busy={isRunning || start.isPending}
            disabled={!isScannable(part)}
            onClick={() => start.mutate()}
          >
            {scan?.state === 'done' ? t.again : t.start}
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <p>{t.lead}</p>
        <SelectField
          label={t.network}
          value={network}
          options={networks.map((value) => ({ value, label: value }))}
          onChange={(next) => {
            setNetwork(next)
            setPart(firstPartOf(next))
          }}
        />
        {isWide && (
          <TextField
            label={t.part}
            value={part}
            onChange={setPart}
            error={isScannable(part) ? undefined : t.partForm}
          />
        )}
        {hosts !== undefined && isScannable(part) && (
          <Text as="p" tone="soft" size="12/18">
            {t.does(formatNumber(hosts), formatNumber(scanLastsS(hosts)))}
          </Text>
        )}
        {start.error && (
          <LookFailure error={start.error} isFetching={start.isPending} retry={() => start.mutate()} />
        )}
        {scan && scan.state !== 'none' && (
          <section aria-label={t.found}>
            {isRunning && (
              <progress
                className={css.scanned}
                value={scan.done}
                max={Math.max(scan.total, 1)}
                aria-label={t.running(scan.network)}
              />
            )}
            <Text as="p" below={8} tone="soft" size="12/18" role="status">
              {isRunning
                ? t.running(scan.network)
                : scan.found.length === 0
                  ? t.none(scan.network)
                  : t.done(scan.network, formatNumber(scan.found.length))}
            </Text>
            <Panel as="ul" className={css.versions}>
              {scan.found.map((found) => {
                const { address, port, kind, name } = found
                const driver = all.drivers[kind] ?? kind
                return (
                  <Row
                    key={`${kind} ${address} ${port}`}
                    as="li"
                    pad="10 14"
                    gap="8 12"
                    wraps
                    className={css.version}
                  >
                    <div className={css.versionText}>
                      <Text as="p" weight={500} breaks>
                        {name || driver}
                      </Text>
                      <p className={css.minor}>{`${driver} · ${address}:${port}`}</p>
                    </div>
                    {connections.some((one) => leadsThere(one, found)) ? (
                      <Text tone="quiet" size={12}>
                        {t.isSetUp}
                      </Text>
                    ) : (
                      kinds.includes(kind) && (
                        <Button
                          size="small"
                          aria-label={t.setUpOf(`${address}:${port}`)}
                          onClick={() => onSetUp(connectionTo(found, driver))}
                        >
                          {t.setUp}
                        </Button>
                      )
                    )}
                  </Row>
                )
              })}
            </Panel>
          </section>
        )}
      </Stack>
    </Dialog>
  )
}
