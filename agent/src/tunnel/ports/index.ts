export { Ports } from './ports.ts'
