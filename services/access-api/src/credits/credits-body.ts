import { type Balance, creditHeaders } from '@vcds/metering';
import type { Response } from 'express';

/** The credits object of spec §2.5. */
export interface CreditsBody {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}

export function creditsBody({ limit, remaining, resetAt }: Balance): CreditsBody {
  return { limit, remaining, reset: resetAt.toISOString() };
}

/** The headers of an authenticated answer that cost nothing (decisions §6). */
export function setFreeCallHeaders(response: Response, balance: Balance): void {
  const { limit, remaining, resetAt } = balance;
  const headers = creditHeaders({ charged: 0, limit, remaining, resetAt });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
