/** Stocks of SMS segments: the one module that writes them. */
export { createSmsStockModule, stockFollowers } from './sms-stock-module.ts'
export { type Payer, type Reservation, reserveStock, settleReservations } from './sms-stock-service.ts'
export type { StockOwner } from './sms-stock-store.ts'
export { findStock, readStock } from './sms-stock-views.ts'
