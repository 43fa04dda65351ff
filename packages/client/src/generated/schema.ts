/** Generated from docs/openapi/data-api.json by `npm run describe`. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A signal with a market date, as a line for readers. */
        ActivityEntry: {
            /** @description The id of its signal in `/signals`. */
            Id: string;
            /** @description The market date: the UTC day of `occurredAt` of its signal. */
            Date: string;
            /** @enum {string} */
            Type: "round.recorded" | "round.updated" | "investor.joined_round" | "valuation.recorded" | "portfolio.company_added" | "portfolio.exit_recorded" | "startup.added" | "startup.updated" | "fund.added" | "fund.updated" | "team.person_added" | "news.mention";
            /** @description One line, such as `Lichenbench raised a $3.9M Seed`. */
            Title: string;
            /** @description The company of the event. */
            Subject: {
                /** @enum {string} */
                Type: "startup" | "fund";
                Id: string;
                Name: string;
            };
            /** @description Whole US dollars; of rounds and valuations. */
            Amount: number | null;
            /** @description The article or the source, otherwise the website of the company. */
            Url: string | null;
        };
        /** @description Figures of groups of records. */
        Aggregates: {
            /** @enum {string} */
            entity: "startups" | "funds" | "rounds" | "valuations";
            /** @description The names of the numbers of each group. */
            measures: string[];
            /** @description The names of the keys. */
            by: string[];
            /** @description The labels of the narrowing values, by dimension. */
            narrowedBy: {
                industry?: string[];
                country?: string[];
                region?: string[];
                city?: string[];
                stage?: string[];
                next_stage?: string[];
                investment_stage?: string[];
                investor_type?: string[];
                team_size?: string[];
                operating_status?: string[];
                exit_status?: string[];
                founded_year?: string[];
                fund_group?: string[];
                round_series?: string[];
                round_stage?: string[];
                round_year?: string[];
                confirmed?: string[];
                investor?: string[];
                lead_investor?: string[];
            };
            /** @description The groups, in order. */
            rows: ({
                /** @description A fund that has invested, as a key. */
                investor?: {
                    /** @description Of the fund. */
                    Id: string;
                    /** @description Of the fund. */
                    Name: string;
                } | null;
                /** @description A fund that has led, as a key. */
                lead_investor?: {
                    /** @description Of the fund. */
                    Id: string;
                    /** @description Of the fund. */
                    Name: string;
                } | null;
                /** @description By field of a measure, how many of the records have it. */
                known: {
                    [key: string]: number;
                };
            } & {
                [key: string]: (string | null) | number;
            })[];
            /** @description The numbers of all records together, each once. */
            total: {
                /** @description A fund that has invested, as a key. */
                investor?: {
                    /** @description Of the fund. */
                    Id: string;
                    /** @description Of the fund. */
                    Name: string;
                } | null;
                /** @description A fund that has led, as a key. */
                lead_investor?: {
                    /** @description Of the fund. */
                    Id: string;
                    /** @description Of the fund. */
                    Name: string;
                } | null;
                /** @description By field of a measure, how many of the records have it. */
                known: {
                    [key: string]: number;
                };
            } & {
                [key: string]: (string | null) | number;
            };
            /** @description The number of groups. */
            groups: number;
            /** @description Whether more groups follow. */
            more: boolean;
            /** @description The age of the data: at most two seconds. */
            asOf: {
                /** @description The batch of changes that the numbers include. */
                position: string;
                /** @description When they were current. */
                at: string;
            };
            /** @description Sentences about values of the filter that occur nowhere. Absent without one. */
            hints?: string[];
        };
        /** @description A value of a dimension. */
        CategoryValue: {
            /** @description A number for stages, headcount buckets and years, otherwise text. */
            value: string | number;
            /** @description The value for people. */
            label: string;
            /** @description The value in URLs. Only of closed dimensions. */
            slug?: string;
            /** @description The member name. Only of closed dimensions. */
            name?: string;
            /** @description The number of records. Absent without counts. */
            count?: number;
        };
        /** @description A change of a record. */
        Change: {
            /** @description Identifies the entry. */
            id: string;
            /** @enum {string} */
            collection: "startups" | "funds" | "fundingrounds" | "postvaluations" | "persons" | "news" | "holdings";
            /** @description The `Id` of the record; of a holding `FUND/STARTUP`. */
            recordId: string;
            /**
             * @description upsert and split: write the record. delete and merge: remove it.
             * @enum {string}
             */
            op: "upsert" | "delete" | "merge" | "split";
            /** @description Increases with each change of a stated fact of the record. */
            revision: number;
            /** @description When the change was published, in microseconds. The order of the feed. */
            detectedAt: string;
            /** @description The fields that changed; null if all are new. */
            fields: string[] | null;
            /** @description Of a merge and a split, the other record. */
            into?: string;
            /** @description With `include=record`: the record as its collection answers it now; null if it is not there. */
            record?: Record<string, never> | null;
        };
        /** @description A page of the changes of records. */
        ChangePage: {
            changes: components["schemas"]["Change"][];
            /** @description The position after the page: `cursor` of the next call. */
            nextCursor: string;
            /** @description Whether more changes follow. */
            hasMore: boolean;
        };
        /** @description A company that a search found. `fields` selects from these members. */
        CompanyMatch: {
            Id: string;
            /** @enum {string} */
            Type: "startup" | "fund";
            Name?: string;
            Website?: string | null;
            Domain?: string | null;
            Location?: string | null;
            Country?: string[];
            Description?: string | null;
            Tags?: string[];
            LogoUrl?: string | null;
            /** @description 1 means the same name or website. */
            Score?: number;
            /** @enum {string} */
            MatchedOn?: "name" | "website" | "identifier" | "both";
        };
        /** @description What an item of a list means. */
        CompanyMatchResult: {
            /** @description That of the item. */
            ref: string;
            /**
             * @description The record is certain; there are records that may be it; there is none.
             * @enum {string}
             */
            verdict: "match" | "candidates" | "none";
            /**
             * @description Why the item has this verdict.
             * @enum {string}
             */
            reason: "identifier" | "website" | "name-and-country" | "tie" | "contradiction" | "other-name" | "other-website" | "no-country" | "common-name" | "similar" | "nothing-found" | "nothing-readable";
            /** @description The reason as a sentence. */
            explanation: string;
            record: components["schemas"]["MatchedCompany"] | (null);
            /** @description Best first; empty with a record. */
            candidates: components["schemas"]["MatchedCompany"][];
            /** @description Values of the item that could not be read. */
            problems: {
                member: string;
                /** @description As sent. */
                value: string;
                message: string;
            }[];
        };
        /** @description The facts that the site of a company states. An unknown fact is null. */
        CompanySite: {
            /** @description The site as it was read: host and path. */
            Website: string;
            /** @description The address of the page, after redirects. */
            FinalUrl: string;
            /** @description When the page was read. */
            FetchedAt: string;
            Name: string | null;
            Title: string | null;
            Description: string | null;
            LogoUrl: string | null;
            /** @description A language of BCP 47, such as `en` or `zh-Hant`. */
            Language: string | null;
            /** @description The country of a structured address, by its English name. */
            Country: string | null;
            FoundedYear: number | null;
            SocialProfiles: {
                Network: string;
                Url: string;
            }[];
            /** @description What states each fact. */
            Evidence: {
                /** @enum {string} */
                Field: "Name" | "Title" | "Description" | "LogoUrl" | "Language" | "Country" | "FoundedYear" | "SocialProfiles";
                /** @description The text as the page has it. */
                Value: string;
                /** @description The part of the page that states it, such as `json-ld Organization.name`. */
                Source: string;
            }[];
            Match: components["schemas"]["CompanyMatch"] | (null);
        };
        /** @description A property that groups and narrows records. */
        Dimension: {
            /** @enum {string} */
            id: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
            title: string;
            description: string;
            /**
             * @description Values of the data, a fixed list, or a number.
             * @enum {string}
             */
            kind: "open" | "closed" | "bucketed";
            entities: ("startups" | "funds" | "rounds")[];
            /** @description The field of `$filter` with the same values. */
            filterField: string;
            /** @description The complete list of a closed dimension. */
            values?: {
                /** @description A number for stages, headcount buckets and years, otherwise text. */
                value: string | number;
                /** @description The value for people. */
                label: string;
                /** @description The value in URLs. Only of closed dimensions. */
                slug: string;
                /** @description The member name. Only of closed dimensions. */
                name: string;
            }[];
        };
        /** @description The values of a dimension. */
        DimensionValues: {
            /** @enum {string} */
            dimension: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
            /**
             * @description The entity whose records are counted.
             * @enum {string}
             */
            entity: "startups" | "funds" | "rounds";
            /** @description The labels of the narrowing values, by dimension. */
            narrowedBy: {
                industry?: string[];
                country?: string[];
                region?: string[];
                city?: string[];
                stage?: string[];
                next_stage?: string[];
                investment_stage?: string[];
                investor_type?: string[];
                team_size?: string[];
                operating_status?: string[];
                exit_status?: string[];
                founded_year?: string[];
                fund_group?: string[];
                round_series?: string[];
                round_stage?: string[];
                round_year?: string[];
                confirmed?: string[];
                investor?: string[];
                lead_investor?: string[];
            };
            /** @description The number of records under the narrowing. Absent without counts. */
            total?: number;
            values: components["schemas"]["CategoryValue"][];
        };
        /** @description The dimensions of an entity. */
        Dimensions: {
            entities: ("startups" | "funds" | "rounds")[];
            dimensions: components["schemas"]["Dimension"][];
        };
        /**
         * @description The status of an investor's holding. Values: Held, Exited, Acquired.
         * @enum {string}
         */
        ExitStatus: "Held" | "Exited" | "Acquired";
        /** @description Counts of several dimensions. */
        Facets: {
            /**
             * @description The entity whose records are counted.
             * @enum {string}
             */
            entity: "startups" | "funds" | "rounds";
            /** @description The labels of the narrowing values, by dimension. */
            narrowedBy: {
                industry?: string[];
                country?: string[];
                region?: string[];
                city?: string[];
                stage?: string[];
                next_stage?: string[];
                investment_stage?: string[];
                investor_type?: string[];
                team_size?: string[];
                operating_status?: string[];
                exit_status?: string[];
                founded_year?: string[];
                fund_group?: string[];
                round_series?: string[];
                round_stage?: string[];
                round_year?: string[];
                confirmed?: string[];
                investor?: string[];
                lead_investor?: string[];
            };
            /** @description The number of records under the narrowing. */
            total: number;
            /** @description The values of each dimension, by its id. */
            facets: {
                industry?: components["schemas"]["CategoryValue"][];
                country?: components["schemas"]["CategoryValue"][];
                region?: components["schemas"]["CategoryValue"][];
                city?: components["schemas"]["CategoryValue"][];
                stage?: components["schemas"]["CategoryValue"][];
                next_stage?: components["schemas"]["CategoryValue"][];
                investment_stage?: components["schemas"]["CategoryValue"][];
                investor_type?: components["schemas"]["CategoryValue"][];
                team_size?: components["schemas"]["CategoryValue"][];
                operating_status?: components["schemas"]["CategoryValue"][];
                exit_status?: components["schemas"]["CategoryValue"][];
                founded_year?: components["schemas"]["CategoryValue"][];
                fund_group?: components["schemas"]["CategoryValue"][];
                round_series?: components["schemas"]["CategoryValue"][];
                round_stage?: components["schemas"]["CategoryValue"][];
                round_year?: components["schemas"]["CategoryValue"][];
                confirmed?: components["schemas"]["CategoryValue"][];
                investor?: components["schemas"]["CategoryValue"][];
                lead_investor?: components["schemas"]["CategoryValue"][];
            };
        };
        /** @description Fund: every field, and the relations of `$expand`. */
        Fund: WithRequired<components["schemas"]["FundSelection"], "Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "Tag" | "Country" | "Region" | "City" | "MembersCount" | "MembersCountBucket" | "InvestmentStage" | "InvestmentType" | "OperatingStatus" | "InvestmentsCount" | "FirstInvestmentDate" | "LastInvestmentDate" | "AverageRoundAmount" | "ExitRate" | "LatestInvestments" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Person at a fund: every field, and the relations of `$expand`. */
        FundPerson: WithRequired<components["schemas"]["FundPersonSelection"], "Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "Since" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Person at a fund: the fields that `$select` names, and the relations of `$expand`. */
        FundPersonSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The name. Use: filter (eq ne like in notin), sort, select. */
            Name?: string;
            /** @description The first name. Use: select. */
            FirstName?: string | null;
            /** @description The last name. Use: select. */
            LastName?: string | null;
            /** @description Whether the person founds or invests. Use: filter (eq ne in notin), select. */
            Role?: components["schemas"]["PersonRole"] | (null);
            /** @description The title at this fund, otherwise that of the person. Use: select. */
            Title?: string | null;
            /** @description The companies that the person founded, by the titles there; null if unknown. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            FoundedCount?: number | null;
            /** @description The city of the first address. Use: filter (eq ne like in notin), select. */
            Location?: string | null;
            /** @description The countries of all addresses, by their English names. Use: filter (eq ne like in notin), select. */
            Country?: string[];
            /** @description The first day at the company. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Since?: string | null;
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The companies the person is at, with title and since when. At most 100. Only with `$expand=Startups`. */
            Startups?: components["schemas"]["StartupWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Startups`. */
            "Startups@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Startups`. */
            "Startups@nextLink"?: string;
            /** @description The funds whose team the person is on, with title and since when. At most 100. Only with `$expand=Funds`. */
            Funds?: components["schemas"]["FundWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Funds`. */
            "Funds@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Funds`. */
            "Funds@nextLink"?: string;
        };
        /** @description Fund: the fields that `$select` names, and the relations of `$expand`. */
        FundSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The name. Use: filter (eq ne like in notin), sort, select. */
            Name?: string;
            /** @description The website, as a URL. Use: filter (eq ne like in notin), select. */
            Website?: string | null;
            /** @description The host of the website without `www.` Use: filter (eq ne like in notin), select. */
            Domain?: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. Use: filter (eq ne in notin), select. */
            Identifier?: string[];
            /** @description What the company does. Use: select. */
            Description?: string | null;
            /** @description The city of the first address. Use: filter (eq ne like in notin), select. */
            Location?: string | null;
            /** @description The year of foundation. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Founded?: number | null;
            /** @description Industry tags. Use: filter (eq ne like in notin), select. */
            Tag?: string[];
            /** @description The countries of all addresses, by their English names. Use: filter (eq ne like in notin), select. */
            Country?: string[];
            /** @description The states, provinces or regions of all addresses. Use: filter (eq ne like in notin), select. */
            Region?: string[];
            /** @description The cities of all addresses. Use: filter (eq ne like in notin), select. */
            City?: string[];
            /** @description The headcount. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            MembersCount?: number | null;
            /** @description The number of the headcount bucket. Use: filter (eq ne in notin), select. */
            MembersCountBucket?: components["schemas"]["HeadcountBucket"] | (null);
            /** @description The stages at which the fund says it invests. Use: filter (eq ne in notin), select. */
            InvestmentStage?: components["schemas"]["Stage"][];
            /** @description The kinds of investor. Use: filter (eq ne in notin), select. */
            InvestmentType?: components["schemas"]["InvestorType"][];
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. Use: filter (eq ne in notin), select. */
            OperatingStatus?: components["schemas"]["OperatingStatus"] | (null);
            /** @description All rounds in which the fund took part. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            InvestmentsCount?: number;
            /** @description The earliest date of the rounds in which the fund took part. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            FirstInvestmentDate?: string | null;
            /** @description The latest date of the rounds in which the fund took part. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            LastInvestmentDate?: string | null;
            /** @description The average amount of the confirmed rounds. In whole US dollars. Use: select. */
            AverageRoundAmount?: number | null;
            /** @description The share of the listed portfolio that is not `Held`, from 0 to 1. Use: select. */
            ExitRate?: number | null;
            /** @description The names of the ten companies in which the fund invested last. Use: select. */
            LatestInvestments?: string[];
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The industry tags. At most 100. Only with `$expand=Tags`. */
            Tags?: {
                Name: string;
            }[];
            /** @description Only if there are more than 100: the number of all `Tags`. */
            "Tags@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Tags`. */
            "Tags@nextLink"?: string;
            /** @description The stages at which the fund says it invests. At most 100. Only with `$expand=InvestmentStages`. */
            InvestmentStages?: {
                /** @enum {integer} */
                Value: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22;
                Name: string;
                Slug: string;
                Label: string;
            }[];
            /** @description Only if there are more than 100: the number of all `InvestmentStages`. */
            "InvestmentStages@count"?: number;
            /** @description Only if there are more than 100: the call for the next `InvestmentStages`. */
            "InvestmentStages@nextLink"?: string;
            /** @description The kinds of investor that the fund is. At most 100. Only with `$expand=InvestmentTypes`. */
            InvestmentTypes?: {
                /** @enum {string} */
                Value: "VentureFund" | "Accelerator" | "PrivateEquity" | "FundOfFunds" | "Corporate" | "AngelGroup" | "FamilyOffice" | "Studio" | "Public" | "Other";
                Name: string;
                Slug: string;
                Label: string;
            }[];
            /** @description Only if there are more than 100: the number of all `InvestmentTypes`. */
            "InvestmentTypes@count"?: number;
            /** @description Only if there are more than 100: the call for the next `InvestmentTypes`. */
            "InvestmentTypes@nextLink"?: string;
            /** @description The identifiers: domains, profiles, numbers of registers. At most 100. Only with `$expand=Identifiers`. */
            Identifiers?: {
                Scheme: string;
                Value: string;
            }[];
            /** @description Only if there are more than 100: the number of all `Identifiers`. */
            "Identifiers@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Identifiers`. */
            "Identifiers@nextLink"?: string;
            /** @description The registered addresses, the main one first. At most 100. Only with `$expand=Addresses`. */
            Addresses?: {
                Street: string | null;
                PostalCode: string | null;
                City: string | null;
                Region: string | null;
                Country: string | null;
            }[];
            /** @description Only if there are more than 100: the number of all `Addresses`. */
            "Addresses@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Addresses`. */
            "Addresses@nextLink"?: string;
            /** @description The editorial groups of the fund. At most 100. Only with `$expand=Groups`. */
            Groups?: {
                Name: string;
            }[];
            /** @description Only if there are more than 100: the number of all `Groups`. */
            "Groups@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Groups`. */
            "Groups@nextLink"?: string;
            /** @description The portfolio, with the status of each holding; the last investment first. At most 100. Only with `$expand=Startups`. */
            Startups?: components["schemas"]["StartupWithHoldingStatus"][];
            /** @description Only if there are more than 100: the number of all `Startups`. */
            "Startups@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Startups`. */
            "Startups@nextLink"?: string;
            /** @description The team, with their title and since when. At most 100. Only with `$expand=Persons`. */
            Persons?: components["schemas"]["PersonWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Persons`. */
            "Persons@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Persons`. */
            "Persons@nextLink"?: string;
        };
        /** @description Fund as a related record: without computed fields. */
        FundWithStatus: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description The stages at which the fund says it invests. */
            InvestmentStage: components["schemas"]["Stage"][];
            /** @description The kinds of investor. */
            InvestmentType: components["schemas"]["InvestorType"][];
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description All rounds in which the fund took part. */
            InvestmentsCount: number;
            /** @description The earliest date of the rounds in which the fund took part. */
            FirstInvestmentDate: string | null;
            /** @description The latest date of the rounds in which the fund took part. */
            LastInvestmentDate: string | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
            /** @enum {string} */
            Status: "Held" | "Exited" | "Acquired";
        };
        /** @description Fund as a related record: without computed fields. */
        FundWithTitleAndSince: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description The stages at which the fund says it invests. */
            InvestmentStage: components["schemas"]["Stage"][];
            /** @description The kinds of investor. */
            InvestmentType: components["schemas"]["InvestorType"][];
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description All rounds in which the fund took part. */
            InvestmentsCount: number;
            /** @description The earliest date of the rounds in which the fund took part. */
            FirstInvestmentDate: string | null;
            /** @description The latest date of the rounds in which the fund took part. */
            LastInvestmentDate: string | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
            Title: string | null;
            Since: string | null;
        };
        /** @description Funding round: every field, and the relations of `$expand`. */
        FundingRound: WithRequired<components["schemas"]["FundingRoundSelection"], "Id" | "StartupId" | "Date" | "Year" | "Series" | "Stage" | "Amount" | "OriginalAmount" | "OriginalCurrency" | "Confirmed" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Funding round: the fields that `$select` names, and the relations of `$expand`. */
        FundingRoundSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The id of the startup. Use: filter (eq ne in notin), select. */
            StartupId?: string;
            /** @description The market date. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Date?: string | null;
            /** @description The year of the date. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Year?: number | null;
            /** @description The series as the source wrote it. Use: filter (eq ne like in notin), select. */
            Series?: string | null;
            /** @description The number of the normalized stage. Use: filter (eq ne in notin), sort, select. */
            Stage?: components["schemas"]["Stage"] | (null);
            /** @description The amount; null if undisclosed. In whole US dollars. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Amount?: number | null;
            /** @description The amount as the source stated it, in `OriginalCurrency`. Use: select. */
            OriginalAmount?: number | null;
            /** @description The currency of `OriginalAmount` (ISO 4217). Use: select. */
            OriginalCurrency?: string | null;
            /** @description Whether the round is confirmed. Totals include only confirmed rounds. Use: filter (eq ne), select. */
            Confirmed?: boolean;
            /** @description The names of all investors, each once. Use: select. */
            InvestorNames?: string[];
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The company that raised the round. Only with `$expand=Startup`. */
            Startup?: components["schemas"]["RelatedStartup"] | (null);
            /** @description The participants, funds and people, lead investors first. At most 100. Only with `$expand=Investors`. */
            Investors?: {
                Id: string;
                /** @enum {string} */
                Type: "fund" | "person";
                Name: string;
                Website: string | null;
                Lead: boolean;
            }[];
            /** @description Only if there are more than 100: the number of all `Investors`. */
            "Investors@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Investors`. */
            "Investors@nextLink"?: string;
        };
        /**
         * @description A range of headcounts. Values: 1 (1–10), 2 (11–50), 3 (51–100), 4 (101–250), 5 (251–500), 6 (501–1,000), 7 (1,001–5,000), 8 (5,001–10,000), 9 (10,001+).
         * @enum {integer}
         */
        HeadcountBucket: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
        /** @description Portfolio company: every field, and the relations of `$expand`. */
        Holding: WithRequired<components["schemas"]["HoldingSelection"], "Startup" | "Status" | "FirstInvestmentDate" | "LastInvestmentDate" | "ExitDate" | "Acquirer" | "RoundsCount">;
        /** @description Portfolio company: the fields that `$select` names, and the relations of `$expand`. */
        HoldingSelection: {
            /** @description The startup. Use: select. */
            Startup?: {
                Id: string;
                Name: string;
                Website: string | null;
            };
            /**
             * @description The status of this holding. Use: filter (eq ne in notin), select.
             * @enum {string}
             */
            Status?: "Held" | "Exited" | "Acquired";
            /** @description The date of the first investment. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            FirstInvestmentDate?: string | null;
            /** @description The date of the last investment. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            LastInvestmentDate?: string | null;
            /** @description The day of the exit; null if unknown or held. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            ExitDate?: string | null;
            /** @description The name of the acquirer; null if unknown or held. Use: filter (eq ne like in notin), select. */
            Acquirer?: string | null;
            /** @description All rounds of the startup in which the fund took part. Use: select. */
            RoundsCount?: number;
        };
        /**
         * @description A kind of investor. Values: VentureFund (Venture Fund), Accelerator, PrivateEquity (Private Equity), FundOfFunds (Fund of Funds), Corporate, AngelGroup (Angel Group), FamilyOffice (Family Office), Studio, Public, Other.
         * @enum {string}
         */
        InvestorType: "VentureFund" | "Accelerator" | "PrivateEquity" | "FundOfFunds" | "Corporate" | "AngelGroup" | "FamilyOffice" | "Studio" | "Public" | "Other";
        /** @description A record that an item may mean. */
        MatchedCompany: {
            Id: string;
            /** @enum {string} */
            Type: "startup" | "fund";
            Name: string;
            Website: string | null;
            Domain: string | null;
            Location: string | null;
            Country: string[];
            Description: string | null;
            Tags: string[];
            LogoUrl: string | null;
            /** @description The estimated probability that it is the company of the item. */
            Score: number;
            /** @enum {string} */
            MatchedOn: "identifier" | "both" | "website" | "name";
            /** @description The evidence for and against the record. */
            Reasons: {
                /** @enum {string} */
                Factor: "identifier" | "website" | "name" | "country";
                /** @description Whether it is evidence for the record. */
                Agrees: boolean;
                /** @description What was compared. */
                Text: string;
            }[];
        };
        /** @description News item: every field, and the relations of `$expand`. */
        News: WithRequired<components["schemas"]["NewsSelection"], "Id" | "Title" | "Url" | "Publisher" | "Date" | "StartupId" | "FundId" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description News item: the fields that `$select` names, and the relations of `$expand`. */
        NewsSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The headline. Use: filter (like), select. */
            Title?: string;
            /** @description The URL of the source. Use: select. */
            Url?: string | null;
            /** @description The publisher. Use: filter (eq ne like in notin), select. */
            Publisher?: string | null;
            /** @description The market date. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Date?: string | null;
            /** @description The id of the startup. Use: filter (eq ne in notin), select. */
            StartupId?: string | null;
            /** @description The id of the fund. Use: filter (eq ne in notin), select. */
            FundId?: string | null;
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The company the article is about. Only with `$expand=Startup`. */
            Startup?: components["schemas"]["RelatedStartup"] | (null);
            /** @description The investor the article is about. Only with `$expand=Fund`. */
            Fund?: components["schemas"]["RelatedFund"] | (null);
        };
        /**
         * @description Whether a company operates. Values: Active, ProbablyClosed (Probably closed), Closed.
         * @enum {string}
         */
        OperatingStatus: "Active" | "ProbablyClosed" | "Closed";
        /** @description Person: every field, and the relations of `$expand`. */
        Person: WithRequired<components["schemas"]["PersonSelection"], "Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /**
         * @description The role of a person towards companies. Values: founder (Founder), investor (Investor), both (Founder and investor).
         * @enum {string}
         */
        PersonRole: "founder" | "investor" | "both";
        /** @description Person: the fields that `$select` names, and the relations of `$expand`. */
        PersonSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The name. Use: filter (eq ne like in notin), sort, select. */
            Name?: string;
            /** @description The first name. Use: select. */
            FirstName?: string | null;
            /** @description The last name. Use: select. */
            LastName?: string | null;
            /** @description Whether the person founds or invests. Use: filter (eq ne in notin), select. */
            Role?: components["schemas"]["PersonRole"] | (null);
            /** @description The title of the person. Use: select. */
            Title?: string | null;
            /** @description The companies that the person founded, by the titles there; null if unknown. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            FoundedCount?: number | null;
            /** @description The city of the first address. Use: filter (eq ne like in notin), select. */
            Location?: string | null;
            /** @description The countries of all addresses, by their English names. Use: filter (eq ne like in notin), select. */
            Country?: string[];
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The companies the person is at, with title and since when. At most 100. Only with `$expand=Startups`. */
            Startups?: components["schemas"]["StartupWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Startups`. */
            "Startups@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Startups`. */
            "Startups@nextLink"?: string;
            /** @description The funds whose team the person is on, with title and since when. At most 100. Only with `$expand=Funds`. */
            Funds?: components["schemas"]["FundWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Funds`. */
            "Funds@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Funds`. */
            "Funds@nextLink"?: string;
        };
        /** @description Person as a related record: without computed fields. */
        PersonWithTitleAndSince: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The first name. */
            FirstName: string | null;
            /** @description The last name. */
            LastName: string | null;
            /** @description Whether the person founds or invests. */
            Role: components["schemas"]["PersonRole"] | (null);
            /** @description The companies that the person founded, by the titles there; null if unknown. */
            FoundedCount: number | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
            Title: string | null;
            Since: string | null;
        };
        /** @description Post-valuation: every field, and the relations of `$expand`. */
        PostValuation: WithRequired<components["schemas"]["PostValuationSelection"], "Id" | "StartupId" | "FundingRoundId" | "Date" | "Year" | "Amount" | "Stage" | "RoundAmount" | "PreviousStage" | "StepUp" | "Estimated" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Post-valuation: the fields that `$select` names, and the relations of `$expand`. */
        PostValuationSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The id of the startup. Use: filter (eq ne in notin), select. */
            StartupId?: string;
            /** @description The round that set the valuation. Use: filter (eq ne in notin), select. */
            FundingRoundId?: string | null;
            /** @description The market date. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Date?: string | null;
            /** @description The year of the date. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Year?: number | null;
            /** @description The amount; null if undisclosed. In whole US dollars. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Amount?: number | null;
            /** @description The stage of the round that set the valuation. Use: filter (eq ne in notin), sort, select. */
            Stage?: components["schemas"]["Stage"] | (null);
            /** @description The amount of the round that set the valuation. In whole US dollars. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            RoundAmount?: number | null;
            /** @description The stage of the valuation before it, of the same company. Use: filter (eq ne in notin), sort, select. */
            PreviousStage?: components["schemas"]["Stage"] | (null);
            /** @description The amount divided by that of the valuation before it, of the same company. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            StepUp?: number | null;
            /** @description Whether the valuation is an estimate. Use: filter (eq ne), select. */
            Estimated?: boolean;
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The company valued. Only with `$expand=Startup`. */
            Startup?: components["schemas"]["RelatedStartup"] | (null);
        };
        /**
         * @description How a company first reached the database. Values: Organic, FundWebsite (Fund website), Media.
         * @enum {string}
         */
        PrimarySource: "Organic" | "FundWebsite" | "Media";
        /** @description The price of the call and the balance, with `quote=true`. */
        QuoteResponse: {
            quote: {
                /** @description The price with `records_max` records. */
                credits_max: number;
                /** @description The price without a record. */
                credits_min: number;
                /** @description Credits before any record. */
                base: number;
                /** @description Credits for each record, without expands. */
                per_record: number;
                /** @description Expands; each adds 25 % to the price of a record. */
                expands: number;
                /** @description The most records that the call can return. */
                records_max: number;
            };
            credits: {
                /** @description The plan's allowance for the month. */
                limit: number;
                /** @description Null while the balance is unknown. */
                remaining: number | null;
                /** @description The maximum price of the call. */
                required: number;
                /** @description The pricing plan of the account. */
                plan: string;
                /** @description The next refill. */
                reset: string;
                /** @description Only of a key with a monthly limit of its own. */
                key?: {
                    /** @description Credits a month that the key may use. */
                    limit: number;
                    /** @description What is left of them; null while unknown. */
                    remaining: number | null;
                };
            };
        };
        /** @description The prices of the data API. */
        RateCard: {
            version: string;
            /** @enum {string} */
            unit: "credit";
            /** @description The currency of amounts in records, which are no prices. */
            money: string;
            formula: string;
            /** @description The price of an error. */
            errors: number;
            plans: {
                /** @enum {string} */
                id: "free" | "starter" | "growth" | "scale";
                name: string;
                creditsPerMonth: number;
                /** @description The ceiling of `$top`. */
                topMax: number;
                entitlements: ("companies" | "rounds" | "people" | "news" | "signals" | "snapshots" | "categories" | "find" | "venturematching")[];
            }[];
            classes: {
                /** @enum {string} */
                class: "search" | "categories" | "tags" | "locations" | "totals" | "startups" | "funds" | "people" | "rounds" | "valuations" | "portfolios" | "company_people" | "news" | "signals" | "changes" | "mentions" | "company_matches" | "tweets" | "snapshots" | "find" | "venturematching" | "dictionaries" | "pricing" | "errors";
                /** @description Credits before any record. */
                base: number;
                /** @description Credits for each record. */
                perRecord: number;
                /** @description The least that a call costs. */
                minimum: number;
                title: string;
            }[];
            endpoints: {
                /** @enum {string} */
                class: "search" | "categories" | "tags" | "locations" | "totals" | "startups" | "funds" | "people" | "rounds" | "valuations" | "portfolios" | "company_people" | "news" | "signals" | "changes" | "mentions" | "company_matches" | "tweets" | "snapshots" | "find" | "venturematching" | "dictionaries" | "pricing" | "errors";
                /** @description Credits before any record. */
                base: number;
                /** @description Credits for each record. */
                perRecord: number;
                /** @description The least that a call costs. */
                minimum: number;
                /** @enum {string} */
                method: "GET" | "POST";
                path: string;
                /** @description What adds 25 % to the price of a record; `*`: every relation. */
                expands: string[];
                note: string;
            }[];
            checks: {
                path: string;
                records: number;
                expands: number;
                count: boolean;
                credits: number;
            }[];
        };
        /** @description Reference: every field, and the relations of `$expand`. */
        Reference: WithRequired<components["schemas"]["ReferenceSelection"], "Field" | "RecordId" | "Value" | "Chosen" | "Source" | "Url" | "RetrievedAt" | "Confidence">;
        /** @description Reference: the fields that `$select` names, and the relations of `$expand`. */
        ReferenceSelection: {
            /** @description The fact that the reference supports. Use: filter (eq ne like in notin), sort, select. */
            Field?: string;
            /** @description The round, valuation or news item; null for a fact of the startup itself. Use: filter (eq ne in notin), select. */
            RecordId?: string | null;
            /** @description What the source says, as text; the amount of a round or valuation. Use: select. */
            Value?: string | null;
            /** @description Whether it is the value of the record. Use: filter (eq ne), select. */
            Chosen?: boolean;
            /** @description The source in words. Use: filter (eq ne like in notin), sort, select. */
            Source?: string | null;
            /** @description The URL of the source. Use: select. */
            Url?: string | null;
            /** @description When the source stated the fact, otherwise when it was recorded or last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            RetrievedAt?: string | null;
            /**
             * @description Whether the fact is confirmed or estimated. Use: filter (eq ne in notin), select.
             * @enum {string}
             */
            Confidence?: "confirmed" | "estimated";
        };
        /** @description Fund as a related record: without computed fields. */
        RelatedFund: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description The stages at which the fund says it invests. */
            InvestmentStage: components["schemas"]["Stage"][];
            /** @description The kinds of investor. */
            InvestmentType: components["schemas"]["InvestorType"][];
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description All rounds in which the fund took part. */
            InvestmentsCount: number;
            /** @description The earliest date of the rounds in which the fund took part. */
            FirstInvestmentDate: string | null;
            /** @description The latest date of the rounds in which the fund took part. */
            LastInvestmentDate: string | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
        };
        /** @description Funding round as a related record: without computed fields. */
        RelatedFundingRound: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The id of the startup. */
            StartupId: string;
            /** @description The market date. */
            Date: string | null;
            /** @description The year of the date. */
            Year: number | null;
            /** @description The series as the source wrote it. */
            Series: string | null;
            /** @description The number of the normalized stage. */
            Stage: components["schemas"]["Stage"] | (null);
            /** @description The amount; null if undisclosed. */
            Amount: number | null;
            /** @description The amount as the source stated it, in `OriginalCurrency`. */
            OriginalAmount: number | null;
            /** @description The currency of `OriginalAmount` (ISO 4217). */
            OriginalCurrency: string | null;
            /** @description Whether the round is confirmed. Totals include only confirmed rounds. */
            Confirmed: boolean;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
        };
        /** @description Startup as a related record: without computed fields. */
        RelatedStartup: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description The stated total, otherwise the sum of the confirmed rounds. */
            TotalRaised: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The stage of the last confirmed round. */
            LastFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The stage that is expected next. It is a prediction. */
            NextFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The date of the last confirmed round. */
            LastFundingDate: string | null;
            /** @description How the company first reached the database. */
            PrimarySource: components["schemas"]["PrimarySource"] | (null);
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description The exit statuses of all holdings, one for each investor. */
            Status: components["schemas"]["ExitStatus"][];
            /** @description The number of confirmed rounds. */
            RoundsCount: number;
            /** @description The amount of the latest post-money valuation. */
            LatestPostValuation: number | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
        };
        /** @description A change. */
        Signal: {
            /** @description Derives from the change: use it to remove duplicates. */
            id: string;
            /** @enum {string} */
            type: "round.recorded" | "round.updated" | "investor.joined_round" | "valuation.recorded" | "portfolio.company_added" | "portfolio.exit_recorded" | "startup.added" | "startup.updated" | "fund.added" | "fund.updated" | "team.person_added" | "news.mention";
            /** @description When the database recorded the change, in microseconds. The order of the feed. */
            detectedAt: string;
            /** @description The market date. Do not page by it. */
            occurredAt: string | null;
            /** @description The company that changed. */
            subject: {
                /** @enum {string} */
                type: "startup" | "fund";
                id: string;
                /** @description With `expand=subject`. */
                name?: string | null;
                /** @description With `expand=subject`. */
                domain?: string | null;
            };
            /** @description The related record. Absent for types without one. */
            object?: {
                /** @enum {string} */
                type: "round" | "valuation" | "startup" | "person" | "news";
                id: string;
                /** @description With `expand=object`. */
                name?: string | null;
            };
            /** @description Whole US dollars; null if undisclosed. Absent for types without an amount. */
            amount?: number | null;
            /** @description The series as the source wrote it, otherwise the stage. Only of types about a round. */
            label?: string | null;
        };
        /** @description A page of the change feed. */
        SignalPage: {
            signals: components["schemas"]["Signal"][];
            /** @description The position that the scan reached: `cursor` of the next call. */
            nextCursor: string;
            /** @description Whether more signals follow. */
            hasMore: boolean;
            /** @enum {string} */
            order: "asc" | "desc";
        };
        /** @description The types of signal. */
        SignalTypes: {
            clock: {
                /** @enum {string} */
                orderedBy: "detectedAt";
                note: string;
            };
            amount: {
                /** @enum {string} */
                currency: "USD";
                note: string;
            };
            types: {
                /** @enum {string} */
                type: "round.recorded" | "round.updated" | "investor.joined_round" | "valuation.recorded" | "portfolio.company_added" | "portfolio.exit_recorded" | "startup.added" | "startup.updated" | "fund.added" | "fund.updated" | "team.person_added" | "news.mention";
                /**
                 * @description Null if it can be either.
                 * @enum {string|null}
                 */
                subject: "startup" | "fund" | null;
                /** @description What `subject.type` of a signal can be. */
                subjects: ("startup" | "fund")[];
                /** @enum {string|null} */
                object: "round" | "valuation" | "startup" | "person" | "news" | null;
                carriesAmount: boolean;
                description: string;
            }[];
        };
        /** @description A company that is like the one in the path. */
        SimilarCompany: {
            Id: string;
            /** @enum {string} */
            Type: "startup" | "fund";
            Name: string;
            Website: string | null;
            Domain: string | null;
            Location: string | null;
            Country: string[];
            Description: string | null;
            Tags: string[];
            LogoUrl: string | null;
            /** @description How alike they are: the sum of the parts of all factors. 1 means alike in all. */
            Score: number;
            /** @description What makes them alike, by descending weight. */
            Reasons: {
                /** @enum {string} */
                Factor: "tags" | "words" | "investors" | "portfolio" | "place" | "stage" | "types" | "size";
                /** @description The share of the factor in the score. */
                Weight: number;
                /** @description What both have in common. */
                Text: string;
            }[];
        };
        /** @description The snapshots, newest first. */
        SnapshotList: {
            snapshots: {
                /** @description The time of its records, as `20261128T010000Z`. */
                id: string;
                createdAt: string;
                /** @description Another version has other fields. */
                schemaVersion: string;
                /** @description The `cursor` with which `/changes` continues after the snapshot. */
                cursor: string;
                collections: {
                    /** @enum {string} */
                    name: "startups" | "funds" | "fundingrounds" | "postvaluations" | "persons" | "news" | "holdings";
                    rows: number;
                    files: {
                        name: string;
                        url: string;
                        /** @enum {string} */
                        format: "parquet" | "ndjson";
                        rows: number;
                        bytes: number;
                        /** @description Of the bytes of the file, hexadecimal. */
                        sha256: string;
                    }[];
                }[];
            }[];
        };
        /**
         * @description A funding stage, numbered upward in order of maturity. Values: 1 (Pre-Seed), 2 (Angel), 3 (Seed), 4 (Series A), 5 (Series B), 6 (Series C), 7 (Series D), 8 (Series E), 9 (Series F), 10 (Series G), 11 (Series H), 12 (Venture (series unknown)), 13 (Growth), 14 (Private Equity), 15 (Debt), 16 (Convertible), 17 (Grant), 18 (Crowdfunding), 19 (Secondary), 20 (Corporate), 21 (Post-IPO), 22 (Other).
         * @enum {integer}
         */
        Stage: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22;
        /** @description Startup: every field, and the relations of `$expand`. */
        Startup: WithRequired<components["schemas"]["StartupSelection"], "Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "TotalRaised" | "Tag" | "Country" | "Region" | "City" | "LastFundingStage" | "NextFundingStage" | "LastFundingDate" | "PrimarySource" | "MembersCount" | "MembersCountBucket" | "OperatingStatus" | "Status" | "RoundsCount" | "LatestPostValuation" | "AverageRoundAmount" | "FundingPerMember" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Person at a startup: every field, and the relations of `$expand`. */
        StartupPerson: WithRequired<components["schemas"]["StartupPersonSelection"], "Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "Since" | "CreatedTimeStamp" | "UpdatedTimeStamp">;
        /** @description Person at a startup: the fields that `$select` names, and the relations of `$expand`. */
        StartupPersonSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The name. Use: filter (eq ne like in notin), sort, select. */
            Name?: string;
            /** @description The first name. Use: select. */
            FirstName?: string | null;
            /** @description The last name. Use: select. */
            LastName?: string | null;
            /** @description Whether the person founds or invests. Use: filter (eq ne in notin), select. */
            Role?: components["schemas"]["PersonRole"] | (null);
            /** @description The title at this startup, otherwise that of the person. Use: select. */
            Title?: string | null;
            /** @description The companies that the person founded, by the titles there; null if unknown. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            FoundedCount?: number | null;
            /** @description The city of the first address. Use: filter (eq ne like in notin), select. */
            Location?: string | null;
            /** @description The countries of all addresses, by their English names. Use: filter (eq ne like in notin), select. */
            Country?: string[];
            /** @description The first day at the company. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Since?: string | null;
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The companies the person is at, with title and since when. At most 100. Only with `$expand=Startups`. */
            Startups?: components["schemas"]["StartupWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Startups`. */
            "Startups@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Startups`. */
            "Startups@nextLink"?: string;
            /** @description The funds whose team the person is on, with title and since when. At most 100. Only with `$expand=Funds`. */
            Funds?: components["schemas"]["FundWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Funds`. */
            "Funds@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Funds`. */
            "Funds@nextLink"?: string;
        };
        /** @description Startup: the fields that `$select` names, and the relations of `$expand`. */
        StartupSelection: {
            /** @description The id of the record. It is opaque: do not construct it. Use: filter (eq ne in notin), sort, select. */
            Id?: string;
            /** @description The name. Use: filter (eq ne like in notin), sort, select. */
            Name?: string;
            /** @description The website, as a URL. Use: filter (eq ne like in notin), select. */
            Website?: string | null;
            /** @description The host of the website without `www.` Use: filter (eq ne like in notin), select. */
            Domain?: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. Use: filter (eq ne in notin), select. */
            Identifier?: string[];
            /** @description What the company does. Use: select. */
            Description?: string | null;
            /** @description The city of the first address. Use: filter (eq ne like in notin), select. */
            Location?: string | null;
            /** @description The year of foundation. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            Founded?: number | null;
            /** @description The stated total, otherwise the sum of the confirmed rounds. In whole US dollars. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            TotalRaised?: number | null;
            /** @description Industry tags. Use: filter (eq ne like in notin), select. */
            Tag?: string[];
            /** @description The countries of all addresses, by their English names. Use: filter (eq ne like in notin), select. */
            Country?: string[];
            /** @description The states, provinces or regions of all addresses. Use: filter (eq ne like in notin), select. */
            Region?: string[];
            /** @description The cities of all addresses. Use: filter (eq ne like in notin), select. */
            City?: string[];
            /** @description The stage of the last confirmed round. Use: filter (eq ne in notin), sort, select. */
            LastFundingStage?: components["schemas"]["Stage"] | (null);
            /** @description The stage that is expected next. It is a prediction. Use: filter (eq ne in notin), sort, select. */
            NextFundingStage?: components["schemas"]["Stage"] | (null);
            /** @description The date of the last confirmed round. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            LastFundingDate?: string | null;
            /** @description How the company first reached the database. Use: filter (eq ne in notin), select. */
            PrimarySource?: components["schemas"]["PrimarySource"] | (null);
            /** @description The headcount. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            MembersCount?: number | null;
            /** @description The number of the headcount bucket. Use: filter (eq ne in notin), select. */
            MembersCountBucket?: components["schemas"]["HeadcountBucket"] | (null);
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. Use: filter (eq ne in notin), select. */
            OperatingStatus?: components["schemas"]["OperatingStatus"] | (null);
            /** @description The exit statuses of all holdings, one for each investor. Use: filter (eq ne in notin), select. */
            Status?: components["schemas"]["ExitStatus"][];
            /** @description The number of confirmed rounds. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            RoundsCount?: number;
            /** @description The amount of the latest post-money valuation. In whole US dollars. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            LatestPostValuation?: number | null;
            /** @description The average amount of the confirmed rounds. In whole US dollars. Use: select. */
            AverageRoundAmount?: number | null;
            /** @description `TotalRaised` divided by `MembersCount`. In whole US dollars. Use: select. */
            FundingPerMember?: number | null;
            /** @description The names of all investors, each once. Use: select. */
            InvestorNames?: string[];
            /** @description When the record was added. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            CreatedTimeStamp?: string;
            /** @description When the response for the record last changed. Use: filter (eq ne gt ge lt le in notin), sort, select. */
            UpdatedTimeStamp?: string;
            /** @description The industry tags. At most 100. Only with `$expand=Tags`. */
            Tags?: {
                Name: string;
            }[];
            /** @description Only if there are more than 100: the number of all `Tags`. */
            "Tags@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Tags`. */
            "Tags@nextLink"?: string;
            /** @description The identifiers: domains, profiles, numbers of registers. At most 100. Only with `$expand=Identifiers`. */
            Identifiers?: {
                Scheme: string;
                Value: string;
            }[];
            /** @description Only if there are more than 100: the number of all `Identifiers`. */
            "Identifiers@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Identifiers`. */
            "Identifiers@nextLink"?: string;
            /** @description The registered addresses, the main one first. At most 100. Only with `$expand=Addresses`. */
            Addresses?: {
                Street: string | null;
                PostalCode: string | null;
                City: string | null;
                Region: string | null;
                Country: string | null;
            }[];
            /** @description Only if there are more than 100: the number of all `Addresses`. */
            "Addresses@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Addresses`. */
            "Addresses@nextLink"?: string;
            /** @description The investors, with the status of each holding; the last investment first. At most 100. Only with `$expand=Funds`. */
            Funds?: components["schemas"]["FundWithStatus"][];
            /** @description Only if there are more than 100: the number of all `Funds`. */
            "Funds@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Funds`. */
            "Funds@nextLink"?: string;
            /** @description The rounds, newest first. At most 100. Only with `$expand=FundingRounds`. */
            FundingRounds?: components["schemas"]["RelatedFundingRound"][];
            /** @description Only if there are more than 100: the number of all `FundingRounds`. */
            "FundingRounds@count"?: number;
            /** @description Only if there are more than 100: the call for the next `FundingRounds`. */
            "FundingRounds@nextLink"?: string;
            /** @description The people, with their title and since when. At most 100. Only with `$expand=Persons`. */
            Persons?: components["schemas"]["PersonWithTitleAndSince"][];
            /** @description Only if there are more than 100: the number of all `Persons`. */
            "Persons@count"?: number;
            /** @description Only if there are more than 100: the call for the next `Persons`. */
            "Persons@nextLink"?: string;
        };
        /** @description Startup as a related record: without computed fields. */
        StartupWithHoldingStatus: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description The stated total, otherwise the sum of the confirmed rounds. */
            TotalRaised: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The stage of the last confirmed round. */
            LastFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The stage that is expected next. It is a prediction. */
            NextFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The date of the last confirmed round. */
            LastFundingDate: string | null;
            /** @description How the company first reached the database. */
            PrimarySource: components["schemas"]["PrimarySource"] | (null);
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description The exit statuses of all holdings, one for each investor. */
            Status: components["schemas"]["ExitStatus"][];
            /** @description The number of confirmed rounds. */
            RoundsCount: number;
            /** @description The amount of the latest post-money valuation. */
            LatestPostValuation: number | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
            /** @enum {string} */
            HoldingStatus: "Held" | "Exited" | "Acquired";
        };
        /** @description Startup as a related record: without computed fields. */
        StartupWithTitleAndSince: {
            /** @description The id of the record. It is opaque: do not construct it. */
            Id: string;
            /** @description The name. */
            Name: string;
            /** @description The website, as a URL. */
            Website: string | null;
            /** @description The host of the website without `www.` */
            Domain: string | null;
            /** @description Identifiers, each `scheme:value`: `linkedin:acme`, `lei:5493001KJTIIGC8Y1R12`. */
            Identifier: string[];
            /** @description What the company does. */
            Description: string | null;
            /** @description The city of the first address. */
            Location: string | null;
            /** @description The year of foundation. */
            Founded: number | null;
            /** @description The stated total, otherwise the sum of the confirmed rounds. */
            TotalRaised: number | null;
            /** @description Industry tags. */
            Tag: string[];
            /** @description The countries of all addresses, by their English names. */
            Country: string[];
            /** @description The states, provinces or regions of all addresses. */
            Region: string[];
            /** @description The cities of all addresses. */
            City: string[];
            /** @description The stage of the last confirmed round. */
            LastFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The stage that is expected next. It is a prediction. */
            NextFundingStage: components["schemas"]["Stage"] | (null);
            /** @description The date of the last confirmed round. */
            LastFundingDate: string | null;
            /** @description How the company first reached the database. */
            PrimarySource: components["schemas"]["PrimarySource"] | (null);
            /** @description The headcount. */
            MembersCount: number | null;
            /** @description The number of the headcount bucket. */
            MembersCountBucket: components["schemas"]["HeadcountBucket"] | (null);
            /** @description `ProbablyClosed` is inferred from inactive websites and accounts. */
            OperatingStatus: components["schemas"]["OperatingStatus"] | (null);
            /** @description The exit statuses of all holdings, one for each investor. */
            Status: components["schemas"]["ExitStatus"][];
            /** @description The number of confirmed rounds. */
            RoundsCount: number;
            /** @description The amount of the latest post-money valuation. */
            LatestPostValuation: number | null;
            /** @description When the record was added. */
            CreatedTimeStamp: string;
            /** @description When the response for the record last changed. */
            UpdatedTimeStamp: string;
            Title: string | null;
            Since: string | null;
        };
        /** @description A tag of startups. */
        TagCount: {
            value: string;
            label: string;
            count: number;
        };
        /** @description A fund for a company, or a startup for a fund. */
        VentureMatch: {
            /** @description The company of a match. */
            Fund?: {
                Id: string;
                Name: string;
                Website: string | null;
                Country: string[];
            };
            /** @description The company of a match. */
            Startup?: {
                Id: string;
                Name: string;
                Website: string | null;
                Country: string[];
            };
            /** @description The estimated probability that the fund invests in the company soon. */
            Score: number;
            /** @description What raised the score most, by descending weight. */
            Reasons: {
                /** @enum {string} */
                Factor: "activity" | "recency" | "tenure" | "portfolio" | "tag" | "country" | "region" | "city" | "tagCountry" | "tagRegion" | "stage" | "amount" | "partners" | "home" | "statedStage" | "statedTags";
                /** @description The share of the factor in all that raised the score. */
                Weight: number;
                /** @description A fact about the fund, with numbers counted in the records. */
                Text: string;
            }[];
        };
        Calls: {
            "/funds": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "Tag" | "Country" | "Region" | "City" | "MembersCount" | "MembersCountBucket" | "InvestmentStage" | "InvestmentType" | "OperatingStatus" | "InvestmentsCount" | "FirstInvestmentDate" | "LastInvestmentDate" | "AverageRoundAmount" | "ExitRate" | "LatestInvestments" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "InvestmentStages" | "InvestmentTypes" | "Identifiers" | "Addresses" | "Groups" | "Startups" | "Persons")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "Founded" | "Founded asc" | "Founded desc" | "MembersCount" | "MembersCount asc" | "MembersCount desc" | "InvestmentsCount" | "InvestmentsCount asc" | "InvestmentsCount desc" | "FirstInvestmentDate" | "FirstInvestmentDate asc" | "FirstInvestmentDate desc" | "LastInvestmentDate" | "LastInvestmentDate asc" | "LastInvestmentDate desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Fund"][];
            };
            "/funds/{id}": {
                path: {
                    id: string;
                };
                query: {
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "Tag" | "Country" | "Region" | "City" | "MembersCount" | "MembersCountBucket" | "InvestmentStage" | "InvestmentType" | "OperatingStatus" | "InvestmentsCount" | "FirstInvestmentDate" | "LastInvestmentDate" | "AverageRoundAmount" | "ExitRate" | "LatestInvestments" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "InvestmentStages" | "InvestmentTypes" | "Identifiers" | "Addresses" | "Groups" | "Startups" | "Persons")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Fund"];
            };
            "/funds/{id}/portfolio": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Startup" | "Status" | "FirstInvestmentDate" | "LastInvestmentDate" | "ExitDate" | "Acquirer" | "RoundsCount" | "*")[];
                    $orderby?: ("FirstInvestmentDate" | "FirstInvestmentDate asc" | "FirstInvestmentDate desc" | "LastInvestmentDate" | "LastInvestmentDate asc" | "LastInvestmentDate desc" | "ExitDate" | "ExitDate asc" | "ExitDate desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Holding"][];
            };
            "/funds/{id}/persons": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "Since" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startups" | "Funds")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "FoundedCount" | "FoundedCount asc" | "FoundedCount desc" | "Since" | "Since asc" | "Since desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["FundPerson"][];
            };
            "/startups": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "TotalRaised" | "Tag" | "Country" | "Region" | "City" | "LastFundingStage" | "NextFundingStage" | "LastFundingDate" | "PrimarySource" | "MembersCount" | "MembersCountBucket" | "OperatingStatus" | "Status" | "RoundsCount" | "LatestPostValuation" | "AverageRoundAmount" | "FundingPerMember" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "Identifiers" | "Addresses" | "Funds" | "FundingRounds" | "Persons")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "Founded" | "Founded asc" | "Founded desc" | "TotalRaised" | "TotalRaised asc" | "TotalRaised desc" | "LastFundingStage" | "LastFundingStage asc" | "LastFundingStage desc" | "NextFundingStage" | "NextFundingStage asc" | "NextFundingStage desc" | "LastFundingDate" | "LastFundingDate asc" | "LastFundingDate desc" | "MembersCount" | "MembersCount asc" | "MembersCount desc" | "RoundsCount" | "RoundsCount asc" | "RoundsCount desc" | "LatestPostValuation" | "LatestPostValuation asc" | "LatestPostValuation desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Startup"][];
            };
            "/startups/fundingrounds": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "StartupId" | "Date" | "Year" | "Series" | "Stage" | "Amount" | "OriginalAmount" | "OriginalCurrency" | "Confirmed" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startup" | "Investors")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "Year" | "Year asc" | "Year desc" | "Stage" | "Stage asc" | "Stage desc" | "Amount" | "Amount asc" | "Amount desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["FundingRound"][];
            };
            "/startups/postvaluations": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "StartupId" | "FundingRoundId" | "Date" | "Year" | "Amount" | "Stage" | "RoundAmount" | "PreviousStage" | "StepUp" | "Estimated" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: "Startup"[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "Year" | "Year asc" | "Year desc" | "Amount" | "Amount asc" | "Amount desc" | "Stage" | "Stage asc" | "Stage desc" | "RoundAmount" | "RoundAmount asc" | "RoundAmount desc" | "PreviousStage" | "PreviousStage asc" | "PreviousStage desc" | "StepUp" | "StepUp asc" | "StepUp desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["PostValuation"][];
            };
            "/startups/{id}": {
                path: {
                    id: string;
                };
                query: {
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "TotalRaised" | "Tag" | "Country" | "Region" | "City" | "LastFundingStage" | "NextFundingStage" | "LastFundingDate" | "PrimarySource" | "MembersCount" | "MembersCountBucket" | "OperatingStatus" | "Status" | "RoundsCount" | "LatestPostValuation" | "AverageRoundAmount" | "FundingPerMember" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "Identifiers" | "Addresses" | "Funds" | "FundingRounds" | "Persons")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Startup"];
            };
            "/startups/{id}/fundingrounds": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "StartupId" | "Date" | "Year" | "Series" | "Stage" | "Amount" | "OriginalAmount" | "OriginalCurrency" | "Confirmed" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startup" | "Investors")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "Year" | "Year asc" | "Year desc" | "Stage" | "Stage asc" | "Stage desc" | "Amount" | "Amount asc" | "Amount desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["FundingRound"][];
            };
            "/startups/{id}/postvaluations": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "StartupId" | "FundingRoundId" | "Date" | "Year" | "Amount" | "Stage" | "RoundAmount" | "PreviousStage" | "StepUp" | "Estimated" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: "Startup"[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "Year" | "Year asc" | "Year desc" | "Amount" | "Amount asc" | "Amount desc" | "Stage" | "Stage asc" | "Stage desc" | "RoundAmount" | "RoundAmount asc" | "RoundAmount desc" | "PreviousStage" | "PreviousStage asc" | "PreviousStage desc" | "StepUp" | "StepUp asc" | "StepUp desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["PostValuation"][];
            };
            "/startups/{id}/persons": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "Since" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startups" | "Funds")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "FoundedCount" | "FoundedCount asc" | "FoundedCount desc" | "Since" | "Since asc" | "Since desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["StartupPerson"][];
            };
            "/startups/{id}/references": {
                path: {
                    id: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Field" | "RecordId" | "Value" | "Chosen" | "Source" | "Url" | "RetrievedAt" | "Confidence" | "*")[];
                    $orderby?: ("Field" | "Field asc" | "Field desc" | "Source" | "Source asc" | "Source desc" | "RetrievedAt" | "RetrievedAt asc" | "RetrievedAt desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Reference"][];
            };
            "/persons": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startups" | "Funds")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "FoundedCount" | "FoundedCount asc" | "FoundedCount desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Person"][];
            };
            "/persons/{id}": {
                path: {
                    id: string;
                };
                query: {
                    $select?: ("Id" | "Name" | "FirstName" | "LastName" | "Role" | "Title" | "FoundedCount" | "Location" | "Country" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startups" | "Funds")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Person"];
            };
            "/news": {
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Title" | "Url" | "Publisher" | "Date" | "StartupId" | "FundId" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startup" | "Fund")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["News"][];
            };
            "/funds/search": {
                query: {
                    q?: string;
                    website?: string;
                    top?: number;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["CompanyMatch"][];
            };
            "/startups/search": {
                query: {
                    q?: string;
                    website?: string;
                    top?: number;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["CompanyMatch"][];
            };
            "/startups/tags/search": {
                query: {
                    q?: string;
                    top?: number;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["TagCount"][];
            };
            "/companies/search": {
                query: {
                    q?: string;
                    website?: string;
                    fields?: ("Id" | "Type" | "Name" | "Website" | "Domain" | "Location" | "Country" | "Description" | "Tags" | "LogoUrl" | "Score" | "MatchedOn" | "*")[];
                    top?: number;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["CompanyMatch"][];
            };
            "/companies/match": {
                body: {
                    /** @description Your own name of the item; the result repeats it. */
                    ref: string;
                    /** @description With or without its legal form. */
                    name?: string;
                    /** @description A domain or URL. */
                    website?: string;
                    /** @description A name of a country, or its code of two or three letters. */
                    country?: string;
                    /** @description Such as `linkedin:acme` or `lei:5493001KJTIIGC8Y1R12`. */
                    identifiers?: string[];
                    /**
                     * @description Default: both are looked for.
                     * @enum {string}
                     */
                    type?: "startup" | "fund";
                }[];
                query: {
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["CompanyMatchResult"][];
            };
            "/startups/{id}/similar": {
                path: {
                    id: string;
                };
                query: {
                    top?: number;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["SimilarCompany"][];
            };
            "/funds/{id}/similar": {
                path: {
                    id: string;
                };
                query: {
                    top?: number;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["SimilarCompany"][];
            };
            "/categories": {
                query: {
                    /** @enum {string} */
                    entity?: "startups" | "funds" | "rounds";
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Dimensions"];
            };
            "/categories/facets": {
                query: {
                    /** @enum {string} */
                    entity?: "startups" | "funds" | "rounds";
                    dimensions?: ("industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor")[];
                    top?: number;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Facets"];
            };
            "/categories/{dimension}": {
                path: {
                    /** @enum {string} */
                    dimension: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
                };
                query: {
                    /** @enum {string} */
                    entity?: "startups" | "funds" | "rounds";
                    q?: string;
                    top?: number;
                    skip?: number;
                    counts?: boolean;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["DimensionValues"];
            };
            "/categories/{dimension}/{value}/startups": {
                path: {
                    /** @enum {string} */
                    dimension: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
                    value: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "TotalRaised" | "Tag" | "Country" | "Region" | "City" | "LastFundingStage" | "NextFundingStage" | "LastFundingDate" | "PrimarySource" | "MembersCount" | "MembersCountBucket" | "OperatingStatus" | "Status" | "RoundsCount" | "LatestPostValuation" | "AverageRoundAmount" | "FundingPerMember" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "Identifiers" | "Addresses" | "Funds" | "FundingRounds" | "Persons")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "Founded" | "Founded asc" | "Founded desc" | "TotalRaised" | "TotalRaised asc" | "TotalRaised desc" | "LastFundingStage" | "LastFundingStage asc" | "LastFundingStage desc" | "NextFundingStage" | "NextFundingStage asc" | "NextFundingStage desc" | "LastFundingDate" | "LastFundingDate asc" | "LastFundingDate desc" | "MembersCount" | "MembersCount asc" | "MembersCount desc" | "RoundsCount" | "RoundsCount asc" | "RoundsCount desc" | "LatestPostValuation" | "LatestPostValuation asc" | "LatestPostValuation desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Startup"][];
            };
            "/categories/{dimension}/{value}/funds": {
                path: {
                    /** @enum {string} */
                    dimension: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
                    value: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "Name" | "Website" | "Domain" | "Identifier" | "Description" | "Location" | "Founded" | "Tag" | "Country" | "Region" | "City" | "MembersCount" | "MembersCountBucket" | "InvestmentStage" | "InvestmentType" | "OperatingStatus" | "InvestmentsCount" | "FirstInvestmentDate" | "LastInvestmentDate" | "AverageRoundAmount" | "ExitRate" | "LatestInvestments" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Tags" | "InvestmentStages" | "InvestmentTypes" | "Identifiers" | "Addresses" | "Groups" | "Startups" | "Persons")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Name" | "Name asc" | "Name desc" | "Founded" | "Founded asc" | "Founded desc" | "MembersCount" | "MembersCount asc" | "MembersCount desc" | "InvestmentsCount" | "InvestmentsCount asc" | "InvestmentsCount desc" | "FirstInvestmentDate" | "FirstInvestmentDate asc" | "FirstInvestmentDate desc" | "LastInvestmentDate" | "LastInvestmentDate asc" | "LastInvestmentDate desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Fund"][];
            };
            "/categories/{dimension}/{value}/rounds": {
                path: {
                    /** @enum {string} */
                    dimension: "industry" | "country" | "region" | "city" | "stage" | "next_stage" | "investment_stage" | "investor_type" | "team_size" | "operating_status" | "exit_status" | "founded_year" | "fund_group" | "round_series" | "round_stage" | "round_year" | "confirmed" | "investor" | "lead_investor";
                    value: string;
                };
                query: {
                    $top?: number;
                    $skip?: number;
                    $skiptoken?: string;
                    $filter?: string;
                    $select?: ("Id" | "StartupId" | "Date" | "Year" | "Series" | "Stage" | "Amount" | "OriginalAmount" | "OriginalCurrency" | "Confirmed" | "InvestorNames" | "CreatedTimeStamp" | "UpdatedTimeStamp" | "*")[];
                    $expand?: ("Startup" | "Investors")[];
                    $orderby?: ("Id" | "Id asc" | "Id desc" | "Date" | "Date asc" | "Date desc" | "Year" | "Year asc" | "Year desc" | "Stage" | "Stage asc" | "Stage desc" | "Amount" | "Amount asc" | "Amount desc" | "CreatedTimeStamp" | "CreatedTimeStamp asc" | "CreatedTimeStamp desc" | "UpdatedTimeStamp" | "UpdatedTimeStamp asc" | "UpdatedTimeStamp desc")[];
                    labels?: boolean;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["FundingRound"][];
            };
            "/aggregates": {
                query: {
                    /** @enum {string} */
                    entity?: "startups" | "funds" | "rounds" | "valuations";
                    measures?: string[];
                    by?: string[];
                    orderby?: string[];
                    top?: number;
                    skip?: number;
                    $filter?: string;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["Aggregates"];
            };
            "/signals": {
                query: {
                    types?: ("round.recorded" | "round.updated" | "investor.joined_round" | "valuation.recorded" | "portfolio.company_added" | "portfolio.exit_recorded" | "startup.added" | "startup.updated" | "fund.added" | "fund.updated" | "team.person_added" | "news.mention")[];
                    since?: string;
                    until?: string;
                    occurredSince?: string;
                    occurredUntil?: string;
                    subject?: string[];
                    minAmount?: number;
                    cursor?: string;
                    /** @enum {string} */
                    order?: "asc" | "desc";
                    limit?: number;
                    expand?: ("subject" | "object")[];
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["SignalPage"];
            };
            "/changes": {
                query: {
                    collections?: ("startups" | "funds" | "fundingrounds" | "postvaluations" | "persons" | "news" | "holdings")[];
                    cursor?: string;
                    since?: string;
                    limit?: number;
                    /** @enum {string} */
                    include?: "record";
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["ChangePage"];
            };
            "/snapshots": {
                query: {
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["SnapshotList"];
            };
            "/snapshots/{snapshot}/{file}": {
                path: {
                    snapshot: string;
                    file: string;
                };
                result: components["schemas"]["QuoteResponse"];
            };
            "/find": {
                query: {
                    website?: string;
                    q?: string;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["CompanySite"];
            };
            "/signals/types": {
                query: {
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["SignalTypes"];
            };
            "/activityfeed": {
                query: {
                    types?: ("round.recorded" | "round.updated" | "investor.joined_round" | "valuation.recorded" | "portfolio.company_added" | "portfolio.exit_recorded" | "startup.added" | "startup.updated" | "fund.added" | "fund.updated" | "team.person_added" | "news.mention")[];
                    subject?: string[];
                    since?: string;
                    until?: string;
                    occurredSince?: string;
                    occurredUntil?: string;
                    $top?: number;
                    $skip?: number;
                    cursor?: string;
                    industry?: string[];
                    country?: string[];
                    region?: string[];
                    city?: string[];
                    stage?: string[];
                    next_stage?: string[];
                    investment_stage?: string[];
                    investor_type?: string[];
                    team_size?: string[];
                    operating_status?: string[];
                    exit_status?: string[];
                    founded_year?: string[];
                    fund_group?: string[];
                    round_series?: string[];
                    round_stage?: string[];
                    round_year?: string[];
                    confirmed?: string[];
                    investor?: string[];
                    lead_investor?: string[];
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["ActivityEntry"][];
            };
            "/venturematching": {
                query: {
                    startup?: string;
                    fund?: string;
                    tags?: string[];
                    country?: string[];
                    stage?: string[];
                    amount?: number;
                    /** @enum {string} */
                    include?: "current";
                    top?: number;
                    /** @enum {string} */
                    $format?: "json" | "csv" | "csv-excel";
                };
                result: components["schemas"]["VentureMatch"][];
            };
            "/pricing": {
                result: components["schemas"]["RateCard"];
            };
        };
        /** @enum {string} */
        ErrorCode: "address_not_public" | "bad_cursor" | "bad_date" | "bad_filter" | "bad_json" | "bad_parameter" | "bad_range" | "bad_request" | "body_too_large" | "credits_exhausted" | "cursor_lost" | "field_not_filterable" | "headers_too_large" | "https_required" | "idempotency_mismatch" | "internal_error" | "key_limit_reached" | "method_not_allowed" | "moved_permanently" | "not_acceptable" | "not_entitled" | "not_found" | "not_html" | "operator_not_supported" | "price_above_limit" | "request_timeout" | "site_empty" | "site_refused" | "site_timeout" | "site_too_large" | "site_unreachable" | "too_many_groups" | "too_many_requests" | "top_above_plan" | "unauthorized" | "unavailable" | "unknown_dimension" | "unknown_entity" | "unknown_field" | "unknown_parameter" | "unknown_path" | "unknown_relation" | "unknown_signal_type" | "unknown_value" | "unsupported_media_type" | "url_too_long";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
export type operations = Record<string, never>;
