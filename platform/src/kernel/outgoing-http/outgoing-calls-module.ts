import type { Kernel } from '../kernel.ts'
import { counter } from '../metrics/index.ts'
import type { Module } from '../module.ts'

/** Counts the kernel's outgoing calls, and ends their connections with the process. */
export function createOutgoingCallsModule({ outgoingCalls }: Pick<Kernel, 'outgoingCalls'>): Module {
  return {
    name: 'outgoingCalls',
    roles: ['api', 'jobs'],
    stop: () => outgoingCalls.close(),
    metrics: () => [
      counter(
        'busbar_outgoing_http_total',
        'Requests to addresses that people typed, by the class of their status or by their fault',
        [...outgoingCalls.outcomes].map(([outcome, value]) => ({ labels: { outcome }, value })),
      ),
    ],
  }
}
