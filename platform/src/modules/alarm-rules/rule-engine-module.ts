import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge, queueLength } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import { listLivingNodes } from '../../kernel/nodes/nodes-store.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { RuleEngine } from './rule-engine.ts'

interface Deps {
  readonly telemetry: TelemetryModule
  readonly link: Pick<EdgeLink, 'peekHere'>
}

/** Evaluates rules where the values of machines come in. */
export function createRuleEngineModule(kernel: Kernel, { telemetry, link }: Deps): Module {
  const { db, pools, facts, logger, bus, node, cluster, now } = kernel
  const isHere = (machineId: number) => link.peekHere([machineId])[0] === 1
  const engine = new RuleEngine({
    db,
    samplesDb: pools.samples.calls,
    telemetry: telemetry.store,
    facts,
    logger,
    nodeId: node.id,
    now,
    ...(cluster ? { others: { isHere, listLiving: () => listLivingNodes(db) } } : {}),
  })
  const ends: (() => void)[] = []
  return {
    name: 'rule-engine',
    roles: ['edge'],
    follows: [
      {
        mode: 'live',
        name: 'alarmRules.evaluated',
        kinds: ['alarmRules.changed', 'machine.ownerChanged'],
        follow(changes) {
          // Other followers do not wait for it.
          void engine.reload(changes.flatMap(({ machineId }) => machineId ?? []))
        },
      },
      {
        mode: 'live',
        name: 'alarmRules.presenceSeen',
        kinds: ['machine.online', 'machine.offline'],
        follow(changes) {
          engine.notice(changes.flatMap(({ machineId }) => machineId ?? []))
        },
      },
    ],
    async start() {
      await engine.start()
      ends.push(
        // At once: rules that no node evaluated yet have no position to go on from.
        bus.subscribe('presence', ({ machineId, online }) => {
          if (online) engine.arrive(machineId)
        }),
        // Until this connection is written, the one before keeps the rules. Presence alone would miss a machine that was
        // elsewhere meanwhile without this node's notice.
        bus.subscribe('held', ({ machineId }, origin) => {
          if (origin === 'here') engine.arrive(machineId)
        }),
        // Others may have taken its rules meanwhile, and its machines do not come anew.
        node.onRevived(() => engine.reclaim()),
      )
    },
    stop() {
      for (const end of ends.splice(0)) end()
      return engine.stop()
    },
    metrics() {
      const { rules, waiting, written, dropped } = engine.stats()
      return [
        gauge('busbar_alarm_rules', 'Rules that are evaluated', rules),
        counter('busbar_alarm_rule_outcomes_total', 'Alarms that rules raised or cleared', written),
        counter(
          'busbar_alarm_rule_outcomes_dropped_total',
          'Those left out because too many waited',
          dropped,
        ),
        queueLength('rule_outcomes', waiting),
      ]
    },
  }
}
