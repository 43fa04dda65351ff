// The columns that the product answers with, under the names of its JSON, as views of its tables.
@path: '/v4'
service Bench {
  @readonly  @cds.persistence.exists
  entity Startups {
    key Id                  : UUID;
        Name                : String;
        Website             : String;
        Domain              : String;
        Description         : String;
        Location            : String;
        Founded             : Int16;
        TotalRaised         : Int64;
        Tag                 : array of String;
        Country             : array of String;
        Region              : array of String;
        City                : array of String;
        @cds.api.ignore
        Cities              : String;
        LastFundingStage    : Int16;
        NextFundingStage    : Int16;
        LastFundingDate     : Date;
        PrimarySource       : String;
        MembersCount        : Integer;
        MembersCountBucket  : Int16;
        OperatingStatus     : String;
        Status              : array of String;
        RoundsCount         : Integer;
        LatestPostValuation : Int64;
        AverageRoundAmount  : Int64;
        InvestorNames       : array of String;
        CreatedAt           : Timestamp;
        UpdatedAt           : Timestamp;
        FundingRounds       : Association to many Rounds
                                on FundingRounds.StartupId = Id;
  }

  @readonly  @cds.persistence.exists
  entity Rounds {
    key Id               : UUID;
        StartupId        : UUID;
        Date             : Date;
        Year             : Int16;
        Series           : String;
        Stage            : Int16;
        Amount           : Int64;
        OriginalAmount   : Decimal;
        OriginalCurrency : String;
        Confirmed        : Boolean;
        CreatedAt        : Timestamp;
        UpdatedAt        : Timestamp;
  }
}
