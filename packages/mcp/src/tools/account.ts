import { acceptedArguments } from '../arguments.ts';
import { answer, MAP, object, oneOf, RECORDS } from '../schemas.ts';
import type { Call, Tool } from './tool.ts';

interface RateCard {
  readonly plans: readonly {
    readonly id: string;
    readonly creditsPerMonth: number;
    readonly topMax: number;
  }[];
  readonly classes: readonly {
    readonly title: string;
    readonly base: number;
    readonly perRecord: number;
  }[];
}

/** The tool that quotes the others. */
export function priceOfCall(tools: readonly Tool[]): Tool {
  const quoted = new Map(tools.filter(({ metered }) => metered).map((tool) => [tool.name, tool]));
  return {
    name: 'price_of_call',
    title: 'Price of a call',
    description:
      'What a call of another tool would cost at most and at least, without running it: free. ' +
      'Example: {"tool":"list_records","arguments":{"collection":"funds","top":100}}.',
    input: object(
      {
        tool: oneOf('The tool.', [...quoted.keys()]),
        arguments: { type: 'object', description: 'Its arguments.' },
      },
      ['tool', 'arguments'],
    ),
    output: answer({ quote: MAP }),
    metered: false,
    quoted: ({ tool: name }) => quoted.get(String(name)),
    call: ({ tool: name, arguments: args }): Call => {
      const tool = quoted.get(String(name));
      if (tool?.call === undefined) throw new RangeError(`The tool ${String(name)} has no price.`);
      const { parameters, ...call } = tool.call(acceptedArguments(tool.input, args));
      return { ...call, parameters: { ...parameters, quote: true } };
    },
    answer: (_, { data }) => ({ quote: (data as { readonly quote: unknown }).quote }),
  };
}

/** The balance, and the prices of the calls. */
export const checkBalance: Tool = {
  name: 'check_balance',
  title: 'Check the balance',
  description:
    'The remaining credits of the account and of a key with a limit, the plan, and the price of each kind of call: free.',
  input: object({}),
  output: answer({ plan: { type: ['string', 'null'] }, prices: RECORDS }),
  metered: false,
  call: () => ({ path: '/pricing', parameters: {} }),
  answer: (_, { data, limit }) => {
    const { plans, classes } = data as RateCard;
    const plan = plans.find(({ creditsPerMonth }) => creditsPerMonth === limit);
    return {
      plan: plan?.id ?? null,
      prices: classes.map(({ title, base, perRecord }) => ({ title, base, per_record: perRecord })),
    };
  },
};
