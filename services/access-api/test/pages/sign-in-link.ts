import type { Product } from '@vcds/test-kit';

/** The link in the newest message to an address; waits for it. */
export async function linkTo(product: Product, address: string): Promise<string> {
  const { text } = await product.mailTo(address);
  return /http\S+\/account\/sign-in\/\w+/.exec(text)?.[0] ?? '';
}
