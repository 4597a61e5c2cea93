export { Ports, type PortTagAt } from './ports.ts'
