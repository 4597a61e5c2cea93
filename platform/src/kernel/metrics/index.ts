/** The platform's metrics for Prometheus. */

export { type Distributed, Histogram } from './histogram.ts'
export { joinMetrics } from './join-metrics.ts'
export { readTicks, secondsSince } from './latency-clock.ts'
export { Measured } from './measured.ts'
export { counter, gauge, histogram, type Metric, queueLength } from './metric.ts'
export { type MetricsServer, startMetricsServer } from './metrics-server.ts'
export { RequestMeter } from './request-meter.ts'
